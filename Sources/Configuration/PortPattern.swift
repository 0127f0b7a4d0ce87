// Matches the names of JACK ports.

/// A pattern of full JACK port names (`client:port`).
///
/// `*` stands for any characters, also none and also colons; `?` stands for one character. All else
/// stands for itself, letter case included.
///
/// - Thread: [any]
public struct PortPattern: Sendable, Hashable, CustomStringConvertible {
  public let text: String
  private let pattern: [Unicode.Scalar]

  public init(_ text: String) {
    self.text = text
    pattern = Array(text.unicodeScalars)
  }

  /// The machine's own ports, where the pattern is a word for them; it matches no name then.
  public var physical: PhysicalPorts? {
    PhysicalPorts.allCases.first { $0.text == text }
  }

  /// Whether the pattern can match more than one name.
  public var isWild: Bool { pattern.contains { $0 == "*" || $0 == "?" } }

  /// Whether the whole of a port's name fits.
  ///
  /// - Complexity: O(name × pattern) at worst, linear for one `*`.
  public func matches(_ portName: String) -> Bool {
    let name = Array(portName.unicodeScalars)
    var n = 0
    var p = 0
    // Where to resume when a later part does not fit: the last star takes one character more.
    var star: (pattern: Int, name: Int)?
    while n < name.count {
      if p < pattern.count, pattern[p] == "*" {
        star = (p, n)
        p += 1
      } else if p < pattern.count, pattern[p] == "?" || pattern[p] == name[n] {
        p += 1
        n += 1
      } else if let last = star {
        star = (last.pattern, last.name + 1)
        p = last.pattern + 1
        n = last.name + 1
      } else {
        return false
      }
    }
    return pattern[p...].allSatisfy { $0 == "*" }
  }

  public var description: String { text }
}

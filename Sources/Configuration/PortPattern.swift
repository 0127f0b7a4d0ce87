// Patterns of JACK port names.

/// A pattern of full JACK port names (`client:port`).
///
/// `*` matches any number of characters, including none and colons; `?` matches one character.
/// Other characters match only themselves, including their case.
///
/// - Thread: [any]
public struct PortPattern: Sendable, Hashable, CustomStringConvertible {
  public let text: String
  private let pattern: [Unicode.Scalar]

  public init(_ text: String) {
    self.text = text
    pattern = Array(text.unicodeScalars)
  }

  /// The machine's own ports if the pattern names them and so matches no port; nil otherwise.
  public var physical: PhysicalPorts? {
    PhysicalPorts.allCases.first { $0.text == text }
  }

  /// Whether the pattern can match more than one name.
  public var isWild: Bool { pattern.contains { $0 == "*" || $0 == "?" } }

  /// Whether the pattern matches a whole port name.
  ///
  /// - Complexity: O(name × pattern) at worst, linear for one `*`.
  public func matches(_ portName: String) -> Bool {
    let name = Array(portName.unicodeScalars)
    var n = 0
    var p = 0
    // The state to resume at after a mismatch: the last star matches one character more.
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

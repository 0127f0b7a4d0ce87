// Counts of OSC messages that could not be used.

import OSC

/// Counts since the session began to listen.
struct OSCCounts: Equatable {
  enum Count: Int, CaseIterable {
    case malformed, refused, full, late, replaced, unanswered, unsubscribed

    /// Whether it is logged as a warning.
    var isFault: Bool { self != .replaced && self != .unsubscribed }

    fileprivate var text: String {
      switch self {
      case .malformed: "OSC packets and connections that were refused as a whole"
      case .refused: "OSC messages that were refused"
      case .full: "OSC messages that found no room, because too many waited"
      case .late: "OSC messages that came too late and took effect at once"
      case .replaced: "OSC messages that a later one replaced before they took effect"
      case .unanswered: "OSC answers that found no way to those who asked, or were too many"
      case .unsubscribed: "OSC subscriptions that ended because nobody renewed them"
      }
    }
  }

  private var counts = [Int](repeating: 0, count: Count.allCases.count)
  /// Descriptions of the first event of each kind.
  private var firsts: [Count: String] = [:]

  /// - Returns: whether it is the first of its kind.
  mutating func add(_ count: Count, _ what: @autoclosure () -> String = "") -> Bool {
    counts[count.rawValue] += 1
    guard counts[count.rawValue] == 1 else { return false }
    firsts[count] = what()
    return true
  }

  subscript(_ count: Count) -> Int { counts[count.rawValue] }

  /// Returns the kind, and the description of its first event.
  func firstLine(_ count: Count) -> String {
    let first = firsts[count] ?? ""
    return count.text + (first.isEmpty ? "" : ", the first \(first)")
  }

  /// One line for each count above 0.
  var lines: [String] {
    Count.allCases.compactMap { self[$0] > 0 ? "\(firstLine($0)): \(self[$0])" : nil }
  }
}

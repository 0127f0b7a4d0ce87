// Codes that are short enough to type.

/// A code of eight digits that pairs a browser with the server. Good once.
public struct PairingCode: Sendable {
  /// The digits in two groups: `1234 5678`.
  public let digits: String
  /// The address to type them at, without a path.
  public let address: String

  /// The time in seconds in which the same code is printed.
  static let windowSeconds: Int64 = 30
  /// The windows before the present one whose codes are still good: five minutes.
  static let formerWindows: Int64 = 10
  static let digitCount = 8

  /// Derives the code of a time; nil for a server that only its own machine reaches.
  ///
  /// - Parameters:
  ///   - address: `http://HOST:PORT`.
  ///   - now: seconds since the system's start.
  init?(_ access: Access, _ key: AccessKey, address: String, now: Int64 = AccessCode.now()) {
    guard !ListeningAddress.isLoopback(url: address) else { return nil }
    let all = Self.digits(access, window: now / Self.windowSeconds, key)
    digits = "\(all.prefix(Self.digitCount / 2)) \(all.suffix(Self.digitCount / 2))"
    self.address = address
  }

  /// The digits of an access in a window, without a space. Whoever may read the secret can derive
  /// them, so that the running server need not be asked.
  static func digits(_ access: Access, window: Int64, _ key: AccessKey) -> String {
    let proof = key.authentication(of: "pair \(access.rawValue) \(window)")
    let number = (UInt64(proof.prefix(15), radix: 16) ?? 0) % 100_000_000
    let text = String(number)
    return String(repeating: "0", count: digitCount - text.utf8.count) + text
  }
}

/// The check of pairing codes: those that were used, and the wrong ones.
struct PairingCodes {
  /// The result of a check.
  enum Result: Equatable {
    case access(Access)
    /// The code is wrong, used or expired.
    case wrong
    /// Too many codes were wrong: no code is looked at for so many seconds.
    case closed(seconds: Int64)
  }

  private struct Issue: Hashable {
    let access: Access
    let window: Int64
  }

  /// The most wrong codes in `wrongSeconds`, whoever sends them.
  static let mostWrong = 5
  static let wrongSeconds: Int64 = 300

  private let key: AccessKey
  private var used: Set<Issue> = []
  /// The times of wrong codes, the oldest first.
  private var wrong: [Int64] = []

  init(_ key: AccessKey) { self.key = key }

  /// Takes a code of eight digits, which is used up then.
  mutating func take(_ digits: String, now: Int64 = AccessCode.now()) -> Result {
    wrong.removeAll { $0 <= now - Self.wrongSeconds }
    if wrong.count >= Self.mostWrong, let first = wrong.first {
      return .closed(seconds: first + Self.wrongSeconds - now)
    }
    let last = now / PairingCode.windowSeconds
    let first = last - PairingCode.formerWindows
    used = used.filter { $0.window >= first }
    var found: Issue?
    // Compares with all, so that the time does not depend on the code.
    for access in Access.allCases {
      for window in first...last {
        let good = PairingCode.digits(access, window: window, key)
        if AccessKey.isEqual(digits, good) { found = Issue(access: access, window: window) }
      }
    }
    guard let found, used.insert(found).inserted else {
      wrong.append(now)
      return .wrong
    }
    return .access(found.access)
  }
}

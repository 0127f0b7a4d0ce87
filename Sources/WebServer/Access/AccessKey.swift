// The secret of a running server, and all that is derived from it.

import Files

/// The rights of a browser.
public enum Access: Character, Sendable, CaseIterable {
  /// May read and change sessions.
  case member = "m"
  /// May only read.
  case guest = "g"
}

/// A secret of 256 bits. Cookies and the codes of addresses are derived from it by HMAC-SHA-256,
/// so that it never leaves the process and its file.
struct AccessKey: Sendable {
  static let byteCount = 32

  let bytes: [UInt8]

  /// A new secret from the system's source of random numbers.
  init() { bytes = (0..<Self.byteCount).map { _ in .random(in: .min ... .max) } }

  /// Reads 64 hexadecimal digits; nil for any other text.
  init?(hexadecimal text: some StringProtocol) {
    guard text.utf8.count == Self.byteCount * 2, let bytes = Self.bytes(text) else { return nil }
    self.bytes = bytes
  }

  /// The secret, for its file only.
  var hexadecimal: String { Self.text(bytes) }

  /// The value of the cookie for an access.
  func cookie(_ access: Access) -> String { authentication(of: "cookie \(access.rawValue)") }

  /// The access that a cookie gives; nil for a wrong one.
  func access(cookie: String) -> Access? {
    var found: Access?
    // Compares with all, so that the time does not depend on the access.
    for access in Access.allCases where Self.isEqual(cookie, self.cookie(access)) {
      found = access
    }
    return found
  }

  /// Returns the HMAC-SHA-256 of a text, as 64 hexadecimal digits.
  func authentication(of text: String) -> String {
    let blockBytes = 64
    let key = bytes + [UInt8](repeating: 0, count: blockBytes - bytes.count)
    let inner = SHA256.hexadecimal(key.map { $0 ^ 0x36 } + Array(text.utf8))
    return SHA256.hexadecimal(key.map { $0 ^ 0x5C } + (Self.bytes(inner) ?? []))
  }

  /// Compares texts in a time that depends on their lengths only.
  static func isEqual(_ first: String, _ second: String) -> Bool {
    let (first, second) = (Array(first.utf8), Array(second.utf8))
    guard first.count == second.count else { return false }
    return zip(first, second).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  static func text(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  private static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    let digits = Array(text.utf8)
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count - 1, by: 2) {
      guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

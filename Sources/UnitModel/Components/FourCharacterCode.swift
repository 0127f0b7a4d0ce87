// Four-character codes that name components, presets and their files.

/// Four printable ASCII characters in 32 bits, the first in the highest byte.
///
/// AUv3: `FourCharCode`, `OSType`.
public struct FourCharacterCode: RawRepresentable, Hashable, Sendable, Comparable {
  /// The four bytes, the first character in the highest.
  ///
  /// - Thread: [any]
  public let rawValue: UInt32

  /// 0, which matches every code.
  public static let any = FourCharacterCode(rawValue: 0)

  /// Makes the code of a number, which need not be printable characters.
  ///
  /// - Thread: [any]
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Makes the code of a text; nil unless it is four printable ASCII characters.
  ///
  /// - Thread: [any]
  public init?(parsing text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 4, bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
    rawValue = bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Orders codes by their bytes.
  ///
  /// - Thread: [any]
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// Whether the code is `any` or its four bytes are printable.
  var isValid: Bool { rawValue == 0 || FourCharacterCode(parsing: description) == self }
}

extension FourCharacterCode: ExpressibleByStringLiteral {
  /// Makes a code written in the source. Anything but four printable ASCII characters stops the
  /// program.
  ///
  /// - Thread: [any]
  public init(stringLiteral text: String) {
    guard let code = FourCharacterCode(parsing: text) else {
      preconditionFailure("\"\(text)\" is not four printable ASCII characters")
    }
    self = code
  }
}

extension FourCharacterCode: CustomStringConvertible {
  /// The four characters, or `any`; bytes that are not printable appear as hexadecimal.
  ///
  /// - Thread: [any]
  public var description: String {
    if rawValue == 0 { return "any" }
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> (24 - 8 * $0)) }
    guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      return "0x" + String(rawValue, radix: 16)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

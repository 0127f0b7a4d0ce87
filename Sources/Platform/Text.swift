// Numbers and columns as text, independent of the locale.

import Glibc

extension BinaryFloatingPoint {
  /// Returns the number with a fixed count of decimals: `0.5.text(decimals: 2)` is "0.50".
  public func text(decimals: Int) -> String {
    // The longest Double has 309 digits before its point.
    let capacity = 320 + max(0, decimals)
    return String(unsafeUninitializedCapacity: capacity) { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        withVaList([Int32(decimals), Double(self)]) {
          Int(vsnprintf(bytes.baseAddress, capacity, "%.*f", $0))
        }
      }
    }
  }
}

extension BinaryFloatingPoint where Self: CustomStringConvertible {
  /// The number in its usual form: 127, not 127.0.
  public var plainText: String { Int(exactly: self).map(String.init) ?? description }
}

extension BinaryInteger {
  /// Returns the number with leading zeros up to a count of digits: `7.text(digits: 2)` is "07".
  public func text(digits: Int) -> String { String(self).aligned(right: digits, filler: "0") }
}

extension StringProtocol {
  /// The text without white space and line ends at its ends.
  public var trimmed: String {
    guard let start = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[start...last])
  }

  /// Returns the text with spaces behind it up to a width in characters; longer texts are cut.
  public func padded(to width: Int) -> String {
    String(prefix(width)) + String(repeating: " ", count: Swift.max(0, width - count))
  }

  /// Returns the text with a filler before it up to a width in characters; longer texts remain.
  public func aligned(right width: Int, filler: Character = " ") -> String {
    String(repeating: filler, count: Swift.max(0, width - count)) + String(self)
  }
}

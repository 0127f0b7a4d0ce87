// Serialises integers in either byte order.

/// A growing array of bytes for file formats.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ more: [UInt8]) {
    bytes.append(contentsOf: more)
  }

  mutating func little<Value: FixedWidthInteger>(_ value: Value) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func big<Value: FixedWidthInteger>(_ value: Value) {
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }

  /// Appends ASCII, cut or padded with zeros to `count` bytes.
  mutating func text(_ text: String, count: Int) {
    let ascii = Array(text.utf8.prefix(count))
    append(ascii + [UInt8](repeating: 0, count: count - ascii.count))
  }
}

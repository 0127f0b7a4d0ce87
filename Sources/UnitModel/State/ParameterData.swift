// The binary form of a state's parameter values, common to all audio units.

import FoundationEssentials

/// The `data` entry of a class info, in big-endian words of 32 bits. Each scope and element has a
/// count and that many pairs of a parameter number and a float.
///
/// Written for the tools of other hosts, and read if our own `parameters` entry is missing.
/// Parameters whose address needs more than 32 bits are omitted.
enum ParameterData {
  static func encode(_ values: [(address: ParameterAddress, value: Float)]) -> Data {
    let fitting = values.filter { $0.address <= UInt64(UInt32.max) }
    var words: [UInt32] = [0, 0, UInt32(fitting.count)]
    for (address, value) in fitting { words += [UInt32(address), value.bitPattern] }
    return Data(
      words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } })
  }

  /// Returns the values of the global scope; nil if the byte count is inconsistent.
  static func decode(_ data: Data) -> [(address: ParameterAddress, value: Float)]? {
    guard data.count % 4 == 0 else { return nil }
    let bytes = Array(data)
    var words = stride(from: 0, to: bytes.count, by: 4).map { start in
      bytes[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }[...]
    var values: [(address: ParameterAddress, value: Float)] = []
    while words.count >= 3 {
      let scope = words.removeFirst()
      let element = words.removeFirst()
      let count = Int(words.removeFirst())
      guard count <= words.count / 2 else { return nil }
      for _ in 0..<count {
        let address = ParameterAddress(words.removeFirst())
        let value = Float(bitPattern: words.removeFirst())
        if scope == 0, element == 0 { values.append((address, value)) }
      }
    }
    return words.isEmpty ? values : nil
  }
}

// Damages well-formed input as files and streams are damaged in practice.

/// Returns a damaged copy of `bytes`, with one to `maximumEdits` random edits. An edit flips a bit,
/// replaces a byte, inserts, removes or doubles bytes, or cuts off the end. A new byte is random or
/// an edge value: 0x00, 0x01, 0x7F, 0x80, 0xF0, 0xF7, 0xFF. Empty input becomes random bytes.
///
/// The same bytes and generator state give the same result, by chance also the input itself.
///
/// - Thread: [any]
public func mutate(
  _ bytes: [UInt8], using random: inout SeededRandom, maximumEdits: Int = 8
) -> [UInt8] {
  var result = bytes
  for _ in 0..<Int.random(in: 1...max(1, maximumEdits), using: &random) {
    edit(&result, using: &random)
  }
  return result
}

private func edit(_ bytes: inout [UInt8], using random: inout SeededRandom) {
  let edges: [UInt8] = [0x00, 0x01, 0x7F, 0x80, 0xF0, 0xF7, 0xFF]
  guard let index = bytes.indices.randomElement(using: &random) else {
    bytes = random.bytes(Int.random(in: 1...16, using: &random))
    return
  }
  let end = min(bytes.count, index + Int.random(in: 1...16, using: &random))
  switch Int.random(in: 0..<8, using: &random) {
  case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
  case 1: bytes[index] = UInt8.random(in: 0...255, using: &random)
  case 2, 3: bytes[index] = edges.randomElement(using: &random) ?? 0
  case 4:
    bytes.insert(contentsOf: random.bytes(Int.random(in: 1...16, using: &random)), at: index)
  case 5: bytes.removeSubrange(index..<end)
  case 6: bytes.insert(contentsOf: bytes[index..<end], at: index)
  default: bytes.removeSubrange(index...)
  }
}

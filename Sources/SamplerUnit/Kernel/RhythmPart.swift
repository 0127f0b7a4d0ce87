// The GS message that makes a channel percussive or melodic.

/// "Use for rhythm part": F0 41 device 42 12 40 1p 15 value checksum F7.
struct RhythmPart: BitwiseCopyable {
  /// Channel, 0 to 15; −1 if the bytes are another message.
  private(set) var channel = -1
  /// 0 for notes, 1 or 2 for percussion.
  private(set) var value: Int8 = 0

  /// - Parameter bytes: the bytes between 0xF0 and 0xF7.
  @_noLocks @_noAllocation
  init(_ bytes: UnsafePointer<UInt8>, count: Int) {
    if count != 9 || bytes[0] != 0x41 || bytes[2] != 0x42 || bytes[3] != 0x12 { return }
    if bytes[1] != 0x10 && bytes[1] != 0x7F { return }
    if bytes[4] != 0x40 || bytes[5] & 0xF0 != 0x10 || bytes[6] != 0x15 || bytes[7] > 2 { return }
    var sum = 0
    var index = 4
    while index < 9 {
      sum += Int(bytes[index])
      index &+= 1
    }
    if sum & 0x7F != 0 { return }
    value = Int8(truncatingIfNeeded: bytes[7])
    channel = Self.channel(ofPart: Int(bytes[5] & 0x0F))
  }

  /// Part 0 is channel 10, parts 1 to 9 are channels 1 to 9.
  @_noLocks @_noAllocation
  static func channel(ofPart part: Int) -> Int {
    part >= 10 ? part : part == 0 ? 9 : part &- 1
  }
}

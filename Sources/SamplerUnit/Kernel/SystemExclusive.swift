// SysEx messages as the sampler reads them.

/// The bytes between 0xF0 and 0xF7, and their kind.
struct SystemExclusive: BitwiseCopyable {
  enum Kind: BitwiseCopyable {
    /// For other devices, or without meaning for a sampler.
    case foreign
    /// GM and GM2: system on and off, master volume and tuning.
    case general
    /// The MIDI Tuning Standard.
    case tuning
    /// Roland's "data set 1" to a GS device.
    case gs
    /// Yamaha's parameter change to an XG device.
    case xg
  }

  let bytes: UnsafePointer<UInt8>
  let count: Int
  let kind: Kind

  @_noLocks @_noAllocation
  init(_ bytes: UnsafePointer<UInt8>, count: Int) {
    self.bytes = bytes
    self.count = count
    kind = count >= 4 ? Self.kind(bytes) : .foreign
  }

  /// This device is number 17 in Roland's count, 16 in the message; 127 is for all.
  @_noLocks @_noAllocation
  private static func kind(_ bytes: UnsafePointer<UInt8>) -> Kind {
    if bytes[1] != 0x10 && bytes[1] != 0x7F { return .foreign }
    switch bytes[0] {
    case 0x7E, 0x7F:
      if bytes[2] == 0x08 { return .tuning }
      return bytes[2] == (bytes[0] == 0x7E ? 0x09 : 0x04) ? .general : .foreign
    case 0x41: return bytes[2] == 0x42 && bytes[3] == 0x12 ? .gs : .foreign
    case 0x43: return bytes[2] == 0x4C ? .xg : .foreign
    default: return .foreign
    }
  }

  @_noLocks @_noAllocation
  subscript(index: Int) -> Int { @_noLocks @_noAllocation get { Int(bytes[index] & 0x7F) } }

  /// Whether it is a real-time message, which retunes sounding notes.
  var isRealTime: Bool { @_noLocks @_noAllocation get { bytes[0] == 0x7F } }

  /// Whether the checksum of the bytes from the address on is right; hardware ignores other
  /// messages.
  var hasRolandChecksum: Bool {
    @_noLocks @_noAllocation get {
      if count < 9 { return false }
      var sum = 0
      var index = 4
      while index < count {
        sum &+= self[index]
        index &+= 1
      }
      return sum & 0x7F == 0
    }
  }

  /// A number of 4 bits from each byte, the most significant first.
  @_noLocks @_noAllocation
  func nibbles(_ index: Int, _ count: Int) -> Int {
    var value = 0
    var position = index
    while position < index &+ count {
      value = value &<< 4 | self[position] & 0x0F
      position &+= 1
    }
    return value
  }

  /// A number of 7 bits from each byte, the most significant first.
  @_noLocks @_noAllocation
  func word(_ index: Int) -> Int { self[index] &<< 7 | self[index &+ 1] }
}

extension SystemExclusive {
  /// The first bytes, at most seven, in one number above 0: the least significant 8 bits are their
  /// count.
  var beginning: Int {
    @_noLocks @_noAllocation get {
      let length = min(count, 7)
      var number = 0
      var index = 0
      while index < length {
        number = number &<< 8 | self[index]
        index &+= 1
      }
      return number &<< 8 | length
    }
  }

  /// - Thread: [any]
  static func bytes(ofBeginning number: Int) -> [UInt8] {
    let length = number & 7
    return (0..<length).map { UInt8(truncatingIfNeeded: number >> (8 * (length - $0))) }
  }
}

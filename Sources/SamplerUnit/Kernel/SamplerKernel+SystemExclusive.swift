// Execution of SysEx messages.

import FluidSynthPool

extension SamplerKernel {
  /// Executes a SysEx for this device, or counts it as ignored.
  ///
  /// Executes resets of GM, GM2, GS and XG, which also choose how banks are selected, master volume
  /// and tuning, and MIDI tuning. Of GS and XG parts it executes level, pan, sends and tuning.
  @_noLocks @_noAllocation
  mutating func playSystemExclusive(_ bytes: UnsafePointer<UInt8>, count: Int) {
    if count < 3 { return }
    scratch.work.add(4 &+ count / 16)
    let message = SystemExclusive(bytes + 1, count: count &- 2)
    var isDone = true
    switch message.kind {
    case .foreign: return
    case .general: isDone = playGeneral(message)
    case .tuning: isDone = playTuning(message)
    case .gs: isDone = message.hasRolandChecksum && playGS(message)
    case .xg: isDone = message.count >= 7 && playXG(message)
    }
    if !isDone { counters.countIgnored(message) }
  }

  /// Executes master volume, 14 bits squared as in GM2, and master tuning.
  @_noLocks @_noAllocation
  private mutating func playGeneral(_ message: SystemExclusive) -> Bool {
    if !message.isRealTime { return playReset(message) }
    if message.count != 6 { return false }
    let value = message[5] &<< 7 | message[4]
    switch message[3] {
    case 1: setMasterVolume(Float(value) / 16_383)
    case 3:
      channels.device.pointee.fineTuning = Float(value &- 8_192) * (100 / 8_192)
      updatePitch()
    case 4:
      channels.device.pointee.coarseTuning = Int32(truncatingIfNeeded: message[5] &- 64)
      updatePitch()
    default: return false
    }
    return true
  }

  /// - Returns: whether it was a reset.
  @_noLocks @_noAllocation
  private mutating func playReset(_ message: SystemExclusive) -> Bool {
    guard let current else { return true }
    if !current.pointee.playSystemExclusive(message.bytes, count: message.count) { return false }
    channels.standard.take(message.bytes, count: message.count)
    afterReset(wasReset: true)
    return true
  }

  /// Sets data at an address and those after it.
  @_noLocks @_noAllocation
  private mutating func playGS(_ message: SystemExclusive) -> Bool {
    if message[4] != 0x40 { return false }
    if message[5] == 0 && message[6] == 0x7F { return playReset(message) }
    let part = RhythmPart(message.bytes, count: message.count)
    if part.channel >= 0 {
      guard let current else { return true }
      let isGS = channels.standard.isGS(atFirst: current.pointee.beginsAsGS)
      if isGS { setRhythmPart(part) }
      return isGS
    }
    // The checksum follows the data.
    let (end, block) = (message.count &- 1, message[5])
    if block != 0 && block & 0x70 != 0x10 { return false }
    var (index, address, isDone) = (7, message[6], false)
    while index < end && address < 0x80 {
      let length =
        block == 0
        ? setGSDevice(message, index, address, room: end &- index)
        : setGSPart(block & 0x0F, message, index, address, room: end &- index)
      if length > 0 { isDone = true }
      index &+= max(length, 1)
      address &+= max(length, 1)
    }
    return isDone
  }

  /// - Returns: the count of bytes taken; 0 for an address without meaning here.
  @_noLocks @_noAllocation
  private mutating func setGSDevice(
    _ message: SystemExclusive, _ index: Int, _ address: Int, room: Int
  ) -> Int {
    switch address {
    case 0 where room >= 4:
      let value = max(0x18, min(message.nibbles(index, 4), 0x7E8)) &- 0x400
      channels.device.pointee.fineTuning = Float(value) / 10
      updatePitch()
      return 4
    case 4:
      setMasterVolume(Float(message[index]) / 127)
      return 1
    case 5:
      channels.device.pointee.coarseTuning = Self.keyShift(message[index])
      updatePitch()
      return 1
    default: return 0
    }
  }

  /// Level, pan and sends are controllers 7, 10, 91 and 93, as in Roland's own tables.
  @_noLocks @_noAllocation
  private mutating func setGSPart(
    _ part: Int, _ message: SystemExclusive, _ index: Int, _ address: Int, room: Int
  ) -> Int {
    let channel = RhythmPart.channel(ofPart: part)
    let value = UInt8(truncatingIfNeeded: message[index])
    switch address {
    case 0x16: setKeyShift(channel, Self.keyShift(message[index]))
    case 0x17 where room >= 2:
      setDetune(channel, Float(max(8, min(message.nibbles(index, 2), 248)) &- 128) / 10)
      return 2
    case 0x19: controller(channel, 7, value)
    // 0 means another pan for each note, which is not supported.
    case 0x1C where value > 0: controller(channel, 10, value)
    case 0x21: controller(channel, 93, value)
    case 0x22: controller(channel, 91, value)
    default: return 0
    }
    return 1
  }

  @_noLocks @_noAllocation
  private mutating func playXG(_ message: SystemExclusive) -> Bool {
    let (high, middle) = (message[3], message[4])
    if high == 0 && middle == 0 && message[5] >= 0x7E { return playReset(message) }
    if !(high == 0 && middle == 0) && !(high == 8 && middle < 16) { return false }
    var (index, address, isDone) = (6, message[5], false)
    while index < message.count && address < 0x80 {
      let room = message.count &- index
      let length =
        high == 0
        ? setXGDevice(message, index, address, room: room)
        : setXGPart(middle, message, index, address, room: room)
      if length > 0 { isDone = true }
      index &+= max(length, 1)
      address &+= max(length, 1)
    }
    return isDone
  }

  @_noLocks @_noAllocation
  private mutating func setXGDevice(
    _ message: SystemExclusive, _ index: Int, _ address: Int, room: Int
  ) -> Int {
    switch address {
    case 0 where room >= 4:
      channels.device.pointee.fineTuning =
        Float(min(message.nibbles(index, 4), 0x7FF) &- 0x400) / 10
      updatePitch()
      return 4
    case 4: setMasterVolume(Float(message[index]) / 127)
    case 6:
      channels.device.pointee.coarseTuning = Self.keyShift(message[index])
      updatePitch()
    default: return 0
    }
    return 1
  }

  @_noLocks @_noAllocation
  private mutating func setXGPart(
    _ channel: Int, _ message: SystemExclusive, _ index: Int, _ address: Int, room: Int
  ) -> Int {
    let value = UInt8(truncatingIfNeeded: message[index])
    switch address {
    case 0x08: setKeyShift(channel, Self.keyShift(message[index]))
    case 0x09 where room >= 2:
      setDetune(channel, Float(min(message.nibbles(index, 2), 255) &- 128) / 10)
      return 2
    case 0x0B: controller(channel, 7, value)
    case 0x0E where value > 0: controller(channel, 10, value)
    case 0x12: controller(channel, 93, value)
    case 0x13: controller(channel, 91, value)
    default: return 0
    }
    return 1
  }

  /// Semitones of a key shift, −24 to 24, for values around 64.
  @_noLocks @_noAllocation
  private static func keyShift(_ value: Int) -> Int32 {
    Int32(truncatingIfNeeded: max(0x28, min(value, 0x58)) &- 0x40)
  }
}

// The stage that turns one controller, pressure or bend into another.

import Realtime
import UnitRender

/// Turns what moves one control of some channels into the messages of another.
///
/// - Sources: a controller (0 to 119), channel pressure, key pressure, pitch bend. Targets: a controller, channel
///   pressure, pitch bend. All count from 0 to 127; bends are so divided that their middle stays it.
/// - The input range becomes 0…1, held to it; the curve bends that; the output range lays it out. A range
///   turned round turns the control round.
/// - The source goes on as well if it is kept; its message then comes first.
///
/// The release of a pedal (controllers 64 to 69) passes if its press did, also where it is the source. A pedal
/// that was pressed by the source of a mapping is released when the mapping ends: with another source or target,
/// or its channel switched off. Where the list of events has no room for that, it follows in a later call.
struct ControllerStage {
  static var parameterCount: Int { @_noLocks @_noAllocation get { 27 } }

  private enum Source: Int, BitwiseCopyable {
    case off, controller, channelPressure, keyPressure, bend
  }

  private enum Target: Int, BitwiseCopyable {
    case controller, channelPressure, bend
  }

  /// Bit n: channel n + 1 is mapped.
  private var channels: UInt16 = .max
  private var source = Source.off
  private var sourceNumber = 1
  private var target = Target.controller
  private var targetNumber = 11
  private var input = (low: 0, high: 127)
  private var output = (low: 0, high: 127)
  private var curve = ResponseCurve.linear
  private var shape = 3.0
  private var keepsSource = false
  /// For each channel the pedals, as bits, that were passed as pressed.
  private var passed = InlineArray<16, UInt8>(repeating: 0)
  /// For each channel the pedals, as bits, that the mapping has pressed.
  private var pressed = InlineArray<16, UInt8>(repeating: 0)
  /// For each channel the pedals, as bits, that are still to be released.
  private var owed = InlineArray<16, UInt8>(repeating: 0)
  private(set) var owes = false

  /// - Thread: [control]
  init() { ResponseCurve.bind() }

  /// Sets a parameter by its index in the stage: 0 to 15 the channels, 16 and 17 the source and its number, 18
  /// and 19 the target and its number, 20 to 23 the input and output ranges, 24 and 25 the curve and its
  /// shape, 26 whether the source is kept.
  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Float) {
    switch index {
    case 0...15:
      channels = channels.with(bit: index, value >= 0.5)
      if value < 0.5 { owe(index) }
    case 16:
      let new = Source(rawValue: wholeNumber(value, from: 0, through: 4)) ?? .off
      if new != source { oweAll() }
      source = new
    case 17:
      let new = wholeNumber(value, from: 0, through: 119)
      if new != sourceNumber { oweAll() }
      sourceNumber = new
    case 18:
      let new = Target(rawValue: wholeNumber(value, from: 0, through: 2)) ?? .controller
      if new != target { oweAll() }
      target = new
    case 19:
      let new = wholeNumber(value, from: 0, through: 119)
      if new != targetNumber { oweAll() }
      targetNumber = new
    case 20: input.low = wholeNumber(value, from: 0, through: 127)
    case 21: input.high = wholeNumber(value, from: 0, through: 127)
    case 22: output.low = wholeNumber(value, from: 0, through: 127)
    case 23: output.high = wholeNumber(value, from: 0, through: 127)
    case 24: curve = .numbered(wholeNumber(value, from: 0, through: 2))
    case 25: shape = number(value, from: 0.1, through: 10)
    case 26: keepsSource = value >= 0.5
    default: break
    }
  }

  /// Forgets which pedals are down.
  @_noLocks @_noAllocation
  mutating func reset() {
    var channel = 0
    while channel < 16 {
      forget(channel)
      channel += 1
    }
    owes = false
  }

  /// Changes an event to what becomes of it; what more comes of it stands right behind it.
  @_noLocks @_noAllocation
  mutating func process(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList
  ) {
    let message = event.pointee
    let kind = message.messageKind
    if case .systemReset = kind { return reset() }
    var value = 0.0
    var isSource = false
    switch kind {
    case .controller:
      if message.number == ControllerNumber.resetAllControllers { forget(message.channel) }
      isSource = source == .controller && message.number == sourceNumber
      value = Double(message.bytes.2)
    case .channelPressure:
      isSource = source == .channelPressure
      value = Double(message.bytes.1)
    case .keyPressure:
      isSource = source == .keyPressure
      value = Double(message.bytes.2)
    case .pitchBend:
      isSource = source == .bend
      value = Double(Int(message.bytes.2) << 7 | Int(message.bytes.1)) * 127 / 16383
    default: return
    }
    if !isSource || !channels.has(bit: message.channel) { return pass(message) }
    map(event, value, in: list)
  }

  @_noLocks @_noAllocation
  private mutating func map(
    _ event: UnsafeMutablePointer<RenderEvent>, _ value: Double, in list: RenderEventList
  ) {
    let message = event.pointee
    let mapped = mappedMessage(value, from: message)
    if !keepsSource && !isReleaseOfPassedPedal(message) {
      event.pointee.bytes = mapped.bytes
      event.pointee.length = mapped.length
      press(mapped)
      return
    }
    pass(message)
    let isSent = list.insert(mapped, after: event) != nil
    let lifted = mapped.bytes.2 < 64 ? pressed[message.channel] & Self.pedal(mapped) : 0
    if !isSent && lifted != 0 {
      owed[message.channel] |= lifted
      owes = true
    }
    if isSent || lifted != 0 { press(mapped) }
  }

  @_noLocks @_noAllocation
  private func mappedMessage(_ value: Double, from message: RenderEvent) -> RenderEvent {
    let span = Double(input.high - input.low)
    let level = unitInterval(
      span == 0 ? (value < Double(input.low) ? 0 : 1) : (value - Double(input.low)) / span)
    let result =
      Double(output.low)
      + Double(output.high - output.low) * curve.value(level, shape: shape)
    var mapped = message
    let channel = UInt8(truncatingIfNeeded: message.channel)
    let byte = UInt8(truncatingIfNeeded: rounded(result))
    switch target {
    case .controller:
      mapped.bytes = (0xB0 | channel, UInt8(truncatingIfNeeded: targetNumber), byte, 0)
      mapped.length = 3
    case .channelPressure:
      mapped.bytes = (0xD0 | channel, byte, 0, 0)
      mapped.length = 2
    case .bend:
      let bend = rounded(result * 16383 / 127)
      mapped.bytes = (
        0xE0 | channel, UInt8(truncatingIfNeeded: bend & 127),
        UInt8(truncatingIfNeeded: bend >> 7), 0
      )
      mapped.length = 3
    }
    return mapped
  }

  @_noLocks @_noAllocation
  private func isReleaseOfPassedPedal(_ message: RenderEvent) -> Bool {
    let pedal = Self.pedal(message)
    return pedal != 0 && message.bytes.2 < 64 && passed[message.channel] & pedal != 0
  }

  /// Notes a message that goes on as it came.
  @_noLocks @_noAllocation
  private mutating func pass(_ message: RenderEvent) {
    let pedal = Self.pedal(message)
    if pedal == 0 { return }
    passed[message.channel] &= ~pedal
    if message.bytes.2 >= 64 { passed[message.channel] |= pedal }
  }

  /// Notes a message that the mapping has made.
  @_noLocks @_noAllocation
  private mutating func press(_ message: RenderEvent) {
    let pedal = Self.pedal(message)
    if pedal == 0 { return }
    pressed[message.channel] &= ~pedal
    if message.bytes.2 >= 64 { pressed[message.channel] |= pedal }
  }

  /// The pedal of a message as a bit, 0 when it is none's.
  @_noLocks @_noAllocation
  private static func pedal(_ message: RenderEvent) -> UInt8 {
    if message.bytes.0 & 0xF0 != 0xB0 || !ControllerNumber.isPedal(message.number) { return 0 }
    return 1 << UInt8(truncatingIfNeeded: message.number - 64)
  }

  @_noLocks @_noAllocation
  private mutating func forget(_ channel: Int) {
    passed[channel] = 0
    pressed[channel] = 0
    owed[channel] = 0
  }

  @_noLocks @_noAllocation
  private mutating func oweAll() {
    var channel = 0
    while channel < 16 {
      owe(channel)
      channel += 1
    }
  }

  @_noLocks @_noAllocation
  private mutating func owe(_ channel: Int) {
    if pressed[channel] == 0 { return }
    owed[channel] |= pressed[channel]
    pressed[channel] = 0
    owes = true
  }

  /// Releases what is owed, as far as there is room.
  /// - Returns: the last event that was put in, `event` for none.
  @_noLocks @_noAllocation
  mutating func release(
    after event: UnsafeMutablePointer<RenderEvent>?, at frame: FrameTime, in list: RenderEventList
  ) -> UnsafeMutablePointer<RenderEvent>? {
    var last = event
    owes = false
    var channel = 0
    while channel < 16 {
      while owed[channel] != 0 {
        let number = UInt8(truncatingIfNeeded: 64 + owed[channel].trailingZeroBitCount)
        guard
          let added = list.insert(
            .midi(0xB0 | UInt8(truncatingIfNeeded: channel), number, 0, at: frame), after: last)
        else {
          owes = true
          return last
        }
        last = added
        owed[channel] &= owed[channel] - 1
      }
      channel += 1
    }
    return last
  }
}

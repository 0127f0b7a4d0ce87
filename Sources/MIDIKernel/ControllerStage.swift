// The stage that turns one controller, pressure or bend into another.

import Realtime
import UnitRender

/// Turns what moves one control of some channels into the messages of another, or moves a parameter.
///
/// - Sources: a controller (0 to 119), channel pressure, key pressure, pitch bend, a pair of controllers (0 to 31
///   with 32 to 63, 14 bits), a non-registered parameter (NRPN, by data entry, increment and decrement).
///   Targets: all but key pressure, and parameters of the unit or of stages behind this one.
/// - All count from 0 to 127, those with 14 bits in between; bends are so divided that their middle stays it. A
///   parameter's range, or the part of it that is given, counts as 0 to 127; where a view shows it
///   logarithmically, equal steps are equal ratios. It is set on the event's frame, or ramps from there.
/// - A pair's or an NRPN's first half counts as soon as it arrives, and resets its second half.
/// - An NRPN is selected, set, and the sender's own selection restored, in one go. Selections by the sender pass.
/// - The input range becomes 0…1, held to it; the curve bends that; the output range lays it out. A range
///   turned round turns the control round.
/// - The source goes on as well if it is kept; its message then comes first.
///
/// The release of a pedal (controllers 64 to 69) passes if its press did, also where it is the source. A pedal
/// that was pressed by the source of a mapping is released when the mapping ends: with another source or target,
/// or its channel switched off. Where the list of events has no room for that, it follows in a later call.
struct ControllerStage {
  static var parameterCount: Int { @_noLocks @_noAllocation get { 33 } }

  private enum Source: Int, BitwiseCopyable {
    case off, controller, channelPressure, keyPressure, bend, controllerPair, nonRegistered
  }

  private enum Target: Int, BitwiseCopyable {
    case controller, channelPressure, bend, controllerPair, nonRegistered, parameter
  }

  /// What a channel's sender has said in halves.
  private struct Halves: BitwiseCopyable {
    /// The source's value so far, 14 bits.
    var value = 0
    /// The sender's selection for data entry; 127 and 127 is none.
    var selected = (high: UInt8(127), low: UInt8(127), isRegistered: true)
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
  private var sourceNRPN = 0
  private var targetNRPN = 0
  private var parameter: UnsafeMutablePointer<MIDITarget>?
  private var rampMilliseconds = 0.0
  private var part = (low: 0.0, high: 1.0)
  private let place: Int
  private let targets: MIDITargets
  private let sampleRate: Double
  private var halves = InlineArray<16, Halves>(repeating: Halves())
  /// What has been worked out for whole values by the settings as they are, −1 where nothing has.
  private var results = InlineArray<128, Double>(repeating: -1)
  private var hasResults = false
  /// For each channel the pedals, as bits, that were passed as pressed.
  private(set) var passed = InlineArray<16, UInt8>(repeating: 0)
  /// For each channel the pedals, as bits, that the mapping has pressed.
  private var pressed = InlineArray<16, UInt8>(repeating: 0)
  /// For each channel the pedals, as bits, that are still to be released.
  private var owed = InlineArray<16, UInt8>(repeating: 0)
  private(set) var owes = false

  /// - Parameter place: the stage's place in its chain.
  /// - Thread: [control]
  init(at place: Int, _ targets: MIDITargets, sampleRate: Double) {
    self.place = place
    self.targets = targets
    self.sampleRate = sampleRate
    ResponseCurve.bind()
  }

  /// Sets a parameter by its index in the stage: 0 to 15 the channels, 16 and 17 the source and its number, 18
  /// and 19 the target and its number, 20 to 23 the input and output ranges, 24 and 25 the curve and its
  /// shape, 26 whether the source is kept, 27 and 28 the NRPNs of source and target, 29 to 32 the target's
  /// parameter (see `MIDIChainTarget.number`), its ramp in milliseconds, and the part of its range.
  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Float) {
    if hasResults {
      results = InlineArray(repeating: -1)
      hasResults = false
    }
    switch index {
    case 0...15:
      channels = channels.with(bit: index, value >= 0.5)
      if value < 0.5 { owe(index) }
    case 16:
      let new = Source(rawValue: wholeNumber(value, from: 0, through: 6)) ?? .off
      if new != source { oweAll() }
      source = new
    case 17:
      let new = wholeNumber(value, from: 0, through: 119)
      if new != sourceNumber { oweAll() }
      sourceNumber = new
    case 18:
      let new = Target(rawValue: wholeNumber(value, from: 0, through: 5)) ?? .controller
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
    default: setTarget(index, to: value)
    }
  }

  @_noLocks @_noAllocation
  private mutating func setTarget(_ index: Int, to value: Float) {
    switch index {
    case 27:
      let new = wholeNumber(value, from: 0, through: 16383)
      if new != sourceNRPN { oweAll() }
      sourceNRPN = new
    case 28: targetNRPN = wholeNumber(value, from: 0, through: 16383)
    case 29:
      parameter = targets.target(
        wholeNumber(value, from: -1, through: 0xFF_FFFF), behind: place)
    case 30: rampMilliseconds = number(value, from: 0, through: 10_000)
    case 31: part.low = number(value, from: 0, through: 1)
    case 32: part.high = number(value, from: 0, through: 1)
    default: break
    }
  }

  /// Forgets which pedals are down, and what was said in halves.
  @_noLocks @_noAllocation
  mutating func reset() {
    var channel = 0
    while channel < 16 {
      forget(channel)
      halves[channel] = Halves()
      channel += 1
    }
    owes = false
  }

  /// The kinds of message that may be mapped, or say something of pedals and selections: bit n for
  /// that of raw value n.
  var kindsOfInterest: UInt16 {
    @_noLocks @_noAllocation get {
      let always = MessageKind.controller.bit | MessageKind.systemReset.bit
      switch source {
      case .off, .nonRegistered: return always
      case .controller, .controllerPair: return always | MessageKind.plainController.bit
      case .channelPressure: return always | MessageKind.channelPressure.bit
      case .keyPressure: return always | MessageKind.keyPressure.bit
      case .bend: return always | MessageKind.pitchBend.bit
      }
    }
  }

  /// What becomes of a message, that of an event, which may become a parameter event; what more comes
  /// of it stands right behind it.
  @_noLocks @_noAllocation
  mutating func process(
    _ message: ShortMessage, _ kind: MessageKind, of event: UnsafeMutablePointer<RenderEvent>,
    in list: RenderEventList
  ) -> ShortMessage {
    var value = -1.0
    switch kind {
    case .controller, .plainController: value = controllerValue(message)
    case .channelPressure where source == .channelPressure: value = Double(message.number)
    case .keyPressure where source == .keyPressure: value = Double(message.value)
    case .pitchBend where source == .bend: value = Double(message.bend) * 127 / 16383
    case .systemReset: reset()
    default: break
    }
    let isMapped = value >= 0 && channels.has(bit: message.channel) && hasTarget
    if isMapped { return map(message, value, of: event, in: list) }
    if case .controller = kind { pass(message) }
    return message
  }

  private var hasTarget: Bool {
    @_noLocks @_noAllocation get { target != .parameter || parameter != nil }
  }

  /// The value of a controller that is the source, 0 to 127; below 0 for others.
  @_noLocks @_noAllocation
  private mutating func controllerValue(_ message: ShortMessage) -> Double {
    let channel = message.channel
    let number = message.number
    let data = message.value
    switch number {
    case 98, 100:
      halves[channel].selected.low = UInt8(truncatingIfNeeded: data)
      halves[channel].selected.isRegistered = number == 100
      halves[channel].value = source == .nonRegistered ? 0 : halves[channel].value
    case 99, 101:
      halves[channel].selected.high = UInt8(truncatingIfNeeded: data)
      halves[channel].selected.isRegistered = number == 101
      halves[channel].value = source == .nonRegistered ? 0 : halves[channel].value
    case ControllerNumber.resetAllControllers:
      forget(channel)
      halves[channel] = Halves()
    default: break
    }
    switch source {
    case .controller: return number == sourceNumber ? Double(data) : -1
    case .controllerPair:
      let coarse = sourceNumber & 31
      if number == coarse {
        halves[channel].value = data << 7
      } else if number == coarse + 32 {
        halves[channel].value = halves[channel].value & ~127 | data
      } else {
        return -1
      }
    case .nonRegistered:
      let selected = halves[channel].selected
      if selected.isRegistered || Int(selected.high) << 7 | Int(selected.low) != sourceNRPN {
        return -1
      }
      let value = halves[channel].value
      switch number {
      case 6: halves[channel].value = data << 7
      case 38: halves[channel].value = value & ~127 | data
      case 96: halves[channel].value = value < 16383 ? value + 1 : value
      case 97: halves[channel].value = value > 0 ? value - 1 : value
      default: return -1
      }
    default: return -1
    }
    return Double(halves[channel].value) * 127 / 16383
  }

  @_noLocks @_noAllocation
  private mutating func map(
    _ message: ShortMessage, _ value: Double, of event: UnsafeMutablePointer<RenderEvent>,
    in list: RenderEventList
  ) -> ShortMessage {
    let result = result(value)
    let keeps = keepsSource || isReleaseOfPassedPedal(message)
    if keeps { pass(message) }
    if messageCount > 1 { return send(result, for: message, of: event, keeps: keeps, in: list) }
    if case .parameter = target { return move(result, message, of: event, keeps: keeps, in: list) }
    let mapped = mappedMessage(0, result, channel: message.channel)
    if !keeps {
      event.pointee.length = mappedLength
      press(mapped)
      return mapped
    }
    let isSent = insert(mapped, behind: event, like: event, in: list) != nil
    let lifted = mapped.value < 64 ? pressed[message.channel] & Self.pedal(mapped) : 0
    if !isSent && lifted != 0 {
      owed[message.channel] |= lifted
      owes = true
    }
    if isSent || lifted != 0 { press(mapped) }
    return message
  }

  /// Puts a message of the target behind an event, with what else `original` has.
  @_noLocks @_noAllocation
  private mutating func insert(
    _ mapped: ShortMessage, behind event: UnsafeMutablePointer<RenderEvent>,
    like original: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList
  ) -> UnsafeMutablePointer<RenderEvent>? {
    var added = original.pointee
    added.message = mapped
    added.length = mappedLength
    return list.insert(added, after: event)
  }

  /// Sends the messages of a target that takes several: all or, without room, none.
  @_noLocks @_noAllocation
  private mutating func send(
    _ result: Double, for message: ShortMessage, of event: UnsafeMutablePointer<RenderEvent>,
    keeps: Bool, in list: RenderEventList
  ) -> ShortMessage {
    if list.room < (keeps ? messageCount : messageCount - 1) {
      list.header.pointee.droppedCount &+= 1
      return keeps ? message : .none
    }
    var last = event
    var index = keeps ? 0 : 1
    while index < messageCount {
      let mapped = mappedMessage(index, result, channel: message.channel)
      if let added = insert(mapped, behind: last, like: event, in: list) { last = added }
      index += 1
    }
    if keeps { return message }
    event.pointee.length = mappedLength
    return mappedMessage(0, result, channel: message.channel)
  }

  /// Moves the parameter that is the target, by an event in the place of `event` or behind it.
  @_noLocks @_noAllocation
  private mutating func move(
    _ result: Double, _ message: ShortMessage, of event: UnsafeMutablePointer<RenderEvent>,
    keeps: Bool, in list: RenderEventList
  ) -> ShortMessage {
    guard let parameter else { return message }
    let ramp = rounded(rampMilliseconds * sampleRate / 1000)
    var moved = RenderEvent.parameter(
      address: parameter.pointee.address,
      value: parameter.pointee.value(part.low + (part.high - part.low) * result / 127),
      rampFrames: parameter.pointee.canRamp ? UInt32(truncatingIfNeeded: ramp) : 0,
      at: event.pointee.frame)
    if keeps {
      _ = list.insert(moved, after: event)
      return message
    }
    moved.next = event.pointee.next
    event.pointee = moved
    return ShortMessage(of: event)
  }

  /// What the target gets, 0 to 127.
  @_noLocks @_noAllocation
  private mutating func result(_ value: Double) -> Double {
    let whole = Int(value)
    if Double(whole) != value { return workOut(value) }
    if !(results[whole & 127] >= 0) {
      results[whole & 127] = workOut(value)
      hasResults = true
    }
    return results[whole & 127]
  }

  @_noLocks @_noAllocation
  private mutating func workOut(_ value: Double) -> Double {
    let span = Double(input.high - input.low)
    let level = unitInterval(
      span == 0 ? (value < Double(input.low) ? 0 : 1) : (value - Double(input.low)) / span)
    return Double(output.low)
      + Double(output.high - output.low) * curve.value(level, shape: shape)
  }

  /// How many messages say one value of the target.
  private var messageCount: Int {
    @_noLocks @_noAllocation get {
      switch target {
      case .controller, .channelPressure, .bend, .parameter: return 1
      case .controllerPair: return 2
      case .nonRegistered: return 6
      }
    }
  }

  /// The bytes of each of these messages.
  private var mappedLength: UInt32 {
    @_noLocks @_noAllocation get {
      if case .channelPressure = target { return 2 }
      return 3
    }
  }

  /// One of the messages that say a value.
  @_noLocks @_noAllocation
  private mutating func mappedMessage(
    _ index: Int, _ result: Double, channel: Int
  ) -> ShortMessage {
    switch target {
    case .controller: return ShortMessage(0xB0 | channel, targetNumber, rounded(result))
    case .channelPressure: return ShortMessage(0xD0 | channel, rounded(result), 0)
    case .bend, .controllerPair, .nonRegistered, .parameter: break
    }
    let fine = rounded(result * 16383 / 127)
    let high = fine >> 7
    let low = fine & 127
    switch target {
    case .controllerPair:
      let coarse = targetNumber & 31
      return index == 0
        ? ShortMessage(0xB0 | channel, coarse, high)
        : ShortMessage(0xB0 | channel, coarse + 32, low)
    case .nonRegistered:
      let (number, value) = statement(
        index, UInt8(truncatingIfNeeded: high), UInt8(truncatingIfNeeded: low), channel: channel)
      return ShortMessage(0xB0 | channel, Int(number), Int(value))
    case .bend, .controller, .channelPressure, .parameter:
      return ShortMessage(0xE0 | channel, low, high)
    }
  }

  /// Controller and value of a message that sets the target's NRPN, then selects what the sender had selected.
  @_noLocks @_noAllocation
  private mutating func statement(
    _ index: Int, _ high: UInt8, _ low: UInt8, channel: Int
  ) -> (UInt8, UInt8) {
    let selected = halves[channel].selected
    switch index {
    case 0: return (99, UInt8(truncatingIfNeeded: targetNRPN >> 7))
    case 1: return (98, UInt8(truncatingIfNeeded: targetNRPN & 127))
    case 2: return (6, high)
    case 3: return (38, low)
    case 4: return (selected.isRegistered ? 101 : 99, selected.high)
    default: return (selected.isRegistered ? 100 : 98, selected.low)
    }
  }

  @_noLocks @_noAllocation
  private mutating func isReleaseOfPassedPedal(_ message: ShortMessage) -> Bool {
    let pedal = Self.pedal(message)
    return pedal != 0 && message.value < 64 && passed[message.channel] & pedal != 0
  }

  /// Notes a message that goes on as it came.
  @_noLocks @_noAllocation
  private mutating func pass(_ message: ShortMessage) {
    let pedal = Self.pedal(message)
    if pedal == 0 { return }
    passed[message.channel] &= ~pedal
    if message.value >= 64 { passed[message.channel] |= pedal }
  }

  /// Notes a message that the mapping has made.
  @_noLocks @_noAllocation
  private mutating func press(_ message: ShortMessage) {
    let pedal = Self.pedal(message)
    if pedal == 0 { return }
    pressed[message.channel] &= ~pedal
    if message.value >= 64 { pressed[message.channel] |= pedal }
  }

  /// The pedal of a message as a bit, 0 when it is none's.
  @_noLocks @_noAllocation
  private static func pedal(_ message: ShortMessage) -> UInt8 {
    if message.status & 0xF0 != 0xB0 || !ControllerNumber.isPedal(message.number) { return 0 }
    return 1 << UInt8(truncatingIfNeeded: message.number - 64)
  }

  @_noLocks @_noAllocation
  private mutating func forget(_ channel: Int) {
    passed[channel] = 0
    pressed[channel] = 0
    owed[channel] = 0
  }

  /// Has every pedal released that the mapping has pressed.
  @_noLocks @_noAllocation
  mutating func oweAll() {
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

// The stage that maps the sender's bend range to the receiver's.

import UnitRender

/// Scales the pitch bends of some channels from one range to another, and tells the receiver its range.
///
/// - The sender's range is that of the settings, until it states one itself, by registered parameter 0.
/// - The receiver is told its range, by registered parameter 0, before the first bend that needs another than
///   it has; what the sender had selected for data entry is selected again. A sender's own statement
///   goes on as the receiver's range; data increments of it are not sent on.
/// - A channel that is switched off, after the receiver was told another range, has its sender's again from its next
///   bend on.
///
/// A receiver starts with ±2 semitones, and does so again after System Reset or a SysEx, which may be a reset.
/// A bend beyond the receiver's range is held to it. In a list of events without room for telling a range,
/// a bend is scaled to the one that the receiver has.
struct BendStage {
  /// Ranges in cents, as registered parameter 0 states them.
  private static var usual: Int { @_noLocks @_noAllocation get { 200 } }
  private static var messagesOfStatement: Int { @_noLocks @_noAllocation get { 6 } }

  private struct Channel: BitwiseCopyable {
    /// What the sender has stated, −1 when nothing.
    var stated = -1
    /// What the receiver has, −1 when that is not known.
    var receiver = 200
    /// The sender's selection for data entry; 127 and 127 is none.
    var selected = (high: UInt8(127), low: UInt8(127), isRegistered: true)

    var selectsRange: Bool {
      @_noLocks @_noAllocation get {
        selected.isRegistered && selected.high == 0 && selected.low == 0
      }
    }
  }

  /// Bit n: the bends of channel n + 1 are scaled.
  private var switches: UInt16 = .max
  /// As if every channel was switched off.
  var isBypassed = false
  private var sender = 2
  private var receiver = 2
  private var channels = InlineArray<16, Channel>(repeating: Channel())

  /// - Thread: [control]
  init() {}

  /// Sets a parameter by its index in the stage: 0 to 15 the channels, 16 the sender's range in semitones, 17
  /// the receiver's.
  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Float) {
    switch index {
    case 0...15: switches = switches.with(bit: index, value >= 0.5)
    case 16: sender = wholeNumber(value, from: 0, through: 96)
    case 17: receiver = wholeNumber(value, from: 0, through: 96)
    default: break
    }
  }

  /// Forgets what was stated; a receiver that was told a range is told one again.
  @_noLocks @_noAllocation
  mutating func reset() {
    var channel = 0
    while channel < 16 {
      channels[channel].stated = -1
      channels[channel].selected = (127, 127, true)
      channel += 1
    }
    doubtReceivers()
  }

  /// False when the event is not to pass; what more comes of it stands right behind it.
  @_noLocks @_noAllocation
  mutating func process(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList
  ) -> Bool {
    switch event.pointee.messageKind {
    case .controller: return controller(event)
    case .pitchBend: bend(event, in: list)
    case .systemExclusive: doubtReceivers()
    case .systemReset:
      var channel = 0
      while channel < 16 {
        channels[channel] = Channel()
        channel += 1
      }
    case .noteOff, .noteOn, .keyPressure, .programChange, .channelPressure, .system, .other: break
    }
    return true
  }

  /// A reset leaves the usual range, all else the one that was told.
  @_noLocks @_noAllocation
  private mutating func doubtReceivers() {
    var channel = 0
    while channel < 16 {
      if channels[channel].receiver != Self.usual { channels[channel].receiver = -1 }
      channel += 1
    }
  }

  @_noLocks @_noAllocation
  private func isSwitchedOn(_ channel: Int) -> Bool { !isBypassed && switches.has(bit: channel) }

  /// The range that a channel's receiver is to have.
  @_noLocks @_noAllocation
  private func wanted(_ channel: Int) -> Int {
    if isSwitchedOn(channel) { return receiver * 100 }
    return channels[channel].stated < 0 ? Self.usual : channels[channel].stated
  }

  @_noLocks @_noAllocation
  private mutating func controller(_ event: UnsafeMutablePointer<RenderEvent>) -> Bool {
    let channel = event.pointee.channel
    let value = event.pointee.bytes.2
    switch event.pointee.number {
    case 98, 100:
      channels[channel].selected.low = value
      channels[channel].selected.isRegistered = event.pointee.number == 100
    case 99, 101:
      channels[channel].selected.high = value
      channels[channel].selected.isRegistered = event.pointee.number == 101
    case 6 where channels[channel].selectsRange:
      let cents = channels[channel].stated < 0 ? 0 : channels[channel].stated % 100
      channels[channel].stated = Int(value) * 100 + cents
      tell(event, wanted(channel) / 100, channel)
    case 38 where channels[channel].selectsRange:
      let stated = channels[channel].stated
      let cents = value < 100 ? Int(value) : 99
      channels[channel].stated = (stated < 0 ? sender : stated / 100) * 100 + cents
      tell(event, wanted(channel) % 100, channel)
    case 96 where channels[channel].selectsRange, 97 where channels[channel].selectsRange:
      return !isSwitchedOn(channel)
    default: break
    }
    return true
  }

  /// Puts a part of the receiver's range into the place of what the sender stated.
  @_noLocks @_noAllocation
  private mutating func tell(
    _ event: UnsafeMutablePointer<RenderEvent>, _ value: Int, _ channel: Int
  ) {
    event.pointee.bytes.2 = UInt8(truncatingIfNeeded: value)
    // The other part may be another than the receiver has.
    let wanted = wanted(channel)
    let has = channels[channel].receiver
    let isSemitones = event.pointee.number == 6
    let rest = isSemitones ? has % 100 == wanted % 100 : has / 100 == wanted / 100
    channels[channel].receiver = has >= 0 && rest ? wanted : -1
  }

  @_noLocks @_noAllocation
  private mutating func bend(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList
  ) {
    let channel = event.pointee.channel
    var bend = event.pointee
    let wanted = wanted(channel)
    let needsTelling = channels[channel].receiver != wanted
    if needsTelling && list.room >= Self.messagesOfStatement {
      channels[channel].receiver = wanted
      scale(&bend, channel)
      state(wanted, bend, at: event, in: list)
    } else {
      scale(&bend, channel)
      event.pointee.bytes = bend.bytes
    }
  }

  /// Scales a bend, −8192 to 8191 about the middle, to the range that the receiver has.
  @_noLocks @_noAllocation
  private func scale(_ bend: inout RenderEvent, _ channel: Int) {
    let state = channels[channel]
    let isOn = isSwitchedOn(channel)
    let from = state.stated >= 0 ? state.stated : (isOn ? sender * 100 : Self.usual)
    let to = state.receiver >= 0 ? state.receiver : Self.usual
    if from == to { return }
    let value = (Int(bend.bytes.2) << 7 | Int(bend.bytes.1)) - 8192
    var scaled = 0
    if to > 0 {
      let product = value * from
      scaled = (product + (product < 0 ? -to / 2 : to / 2)) / to
    }
    scaled = scaled < -8192 ? -8192 : scaled > 8191 ? 8191 : scaled
    bend.bytes.1 = UInt8(truncatingIfNeeded: (scaled + 8192) & 127)
    bend.bytes.2 = UInt8(truncatingIfNeeded: (scaled + 8192) >> 7)
  }

  /// Puts a statement of the receiver's range in the place of `event`, and `bend` behind it.
  @_noLocks @_noAllocation
  private func state(
    _ cents: Int, _ bend: RenderEvent, at event: UnsafeMutablePointer<RenderEvent>,
    in list: RenderEventList
  ) {
    let status = 0xB0 | UInt8(truncatingIfNeeded: event.pointee.channel)
    let selected = channels[event.pointee.channel].selected
    event.pointee.bytes = (status, 101, 0, 0)
    var last = event
    var step = 0
    while step < Self.messagesOfStatement {
      var message = bend
      switch step {
      case 0: message.bytes = (status, 100, 0, 0)
      // The finer part first: there are receivers that act on the coarser one alone.
      case 1: message.bytes = (status, 38, UInt8(truncatingIfNeeded: cents % 100), 0)
      case 2: message.bytes = (status, 6, UInt8(truncatingIfNeeded: cents / 100), 0)
      case 3: message.bytes = (status, selected.isRegistered ? 101 : 99, selected.high, 0)
      case 4: message.bytes = (status, selected.isRegistered ? 100 : 98, selected.low, 0)
      default: break
      }
      if let added = list.insert(message, after: last) { last = added }
      step += 1
    }
  }
}

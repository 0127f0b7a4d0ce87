// The stage that maps the sender's bend range to the receiver's.

import UnitRender

/// Scales the pitch bends of some channels from one range to another, and sends the receiver its
/// range.
///
/// - The sender's range is that of the settings, until it states one itself, by registered
///   parameter 0.
/// - The stage sends the receiver's range, by registered parameter 0, before the first bend that
///   needs another range than the receiver has. Then it restores the sender's selection for data
///   entry. A sender's own statement is sent on as the receiver's range; data increments and
///   decrements of it are not sent on.
/// - A channel that is switched off after another range was sent gets its sender's range again from
///   its next bend on.
///
/// A receiver starts with ±2 semitones, and does so again after System Reset or a SysEx, which may
/// be a reset. A bend beyond the receiver's range is limited to it. If a list of events has no room
/// for the statement of a range, a bend is scaled to the one that the receiver has.
struct BendStage {
  static var parameterCount: Int { @_noLocks @_noAllocation get { BendParameter.count } }
  static var kinds: UInt16 {
    @_noLocks @_noAllocation get {
      MessageKind.pitchBend.bit | MessageKind.controller.bit | MessageKind.systemExclusive.bit
        | MessageKind.systemReset.bit
    }
  }
  static var bypassesItself: Bool { @_noLocks @_noAllocation get { true } }

  /// Ranges in cents, as registered parameter 0 states them.
  private static var usual: Int { @_noLocks @_noAllocation get { 200 } }
  private static var messagesOfStatement: Int { @_noLocks @_noAllocation get { 6 } }

  private struct Channel: BitwiseCopyable {
    /// The range that the sender has stated; −1 for none.
    var stated = -1
    /// The range of the receiver; −1 if it is unknown.
    var receiver = 200
    /// The sender's selection for data entry; 127 and 127 is none.
    var selected = (high: UInt8(127), low: UInt8(127), isRegistered: true)

    var selectsRange: Bool {
      @_noLocks @_noAllocation get {
        selected.isRegistered && selected.high == 0 && selected.low == 0
      }
    }
  }

  /// The channels whose bends are scaled; bit n is channel n + 1.
  private var switches: UInt16 = .max
  /// Whether all channels act as switched off.
  private var isBypassed = false
  private var sender = 2
  private var receiver = 2
  private var channels = InlineArray<16, Channel>(repeating: Channel())
  /// Whether all channels are in their first state; whether no receiver is known to have another
  /// range than the usual one.
  private var isFresh = true
  private var isDoubted = true

  /// - Thread: [control]
  init(_ setup: MIDIStageSetup) {}

  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Float) {
    switch BendParameter(rawValue: index) {
    case .sender: sender = wholeNumber(value, from: 0, through: 96)
    case .receiver: receiver = wholeNumber(value, from: 0, through: 96)
    case .channels, nil: switches.setSwitch(index, to: value)
    }
  }

  @_noLocks @_noAllocation
  mutating func setBypassed(_ isBypassed: Bool) { self.isBypassed = isBypassed }

  /// Forgets the stated ranges; a receiver that was sent a range is sent one again.
  @_noLocks @_noAllocation
  mutating func reset() {
    isFresh = false
    var channel = 0
    while channel < 16 {
      channels[channel].stated = -1
      channels[channel].selected = (127, 127, true)
      channel &+= 1
    }
    doubtReceivers()
  }

  @_noLocks @_noAllocation
  mutating func process(
    _ message: ShortMessage, _ kind: MessageKind, of event: UnsafeMutablePointer<RenderEvent>,
    in list: RenderEventList
  ) -> ShortMessage {
    switch kind {
    case .controller: return controller(message)
    case .pitchBend: return bend(message, of: event, in: list)
    case .systemExclusive:
      if isDoubted { return message }
      doubtReceivers()
    case .systemReset:
      if isFresh { return message }
      isFresh = true
      isDoubted = true
      var channel = 0
      while channel < 16 {
        channels[channel] = Channel()
        channel &+= 1
      }
    case .noteOff, .noteOn, .keyPressure, .plainController, .programChange, .channelPressure,
      .system, .other:
      break
    }
    return message
  }

  /// Marks the ranges of receivers as unknown, except for usual ones. A reset leaves the usual
  /// range, any other SysEx the range that was sent.
  @_noLocks @_noAllocation
  private mutating func doubtReceivers() {
    isDoubted = true
    var channel = 0
    while channel < 16 {
      if channels[channel].receiver != Self.usual { channels[channel].receiver = -1 }
      channel &+= 1
    }
  }

  @_noLocks @_noAllocation @inline(__always)
  private func isSwitchedOn(_ channel: Int) -> Bool { !isBypassed && switches.has(bit: channel) }

  /// The range that a channel's receiver should have.
  @_noLocks @_noAllocation
  private mutating func wanted(_ channel: Int) -> Int {
    if isSwitchedOn(channel) { return receiver * 100 }
    return channels[channel].stated < 0 ? Self.usual : channels[channel].stated
  }

  /// The range of a channel's sender.
  @_noLocks @_noAllocation
  private mutating func sent(_ channel: Int) -> Int {
    let stated = channels[channel].stated
    return stated >= 0 ? stated : isSwitchedOn(channel) ? sender * 100 : Self.usual
  }

  @_noLocks @_noAllocation
  private mutating func controller(_ message: ShortMessage) -> ShortMessage {
    let channel = message.channel
    let value = message.value
    isFresh = false
    switch message.number {
    case 98, 100:
      channels[channel].selected.low = UInt8(truncatingIfNeeded: value)
      channels[channel].selected.isRegistered = message.number == 100
    case 99, 101:
      channels[channel].selected.high = UInt8(truncatingIfNeeded: value)
      channels[channel].selected.isRegistered = message.number == 101
    case 6 where channels[channel].selectsRange:
      let cents = channels[channel].stated < 0 ? 0 : channels[channel].stated % 100
      channels[channel].stated = value * 100 + cents
      return restated(message, wanted(channel) / 100)
    case 38 where channels[channel].selectsRange:
      let stated = channels[channel].stated
      let cents = value < 100 ? value : 99
      channels[channel].stated = (stated < 0 ? sender : stated / 100) * 100 + cents
      return restated(message, wanted(channel) % 100)
    case 96 where channels[channel].selectsRange, 97 where channels[channel].selectsRange:
      return isSwitchedOn(channel) ? .none : message
    default: break
    }
    return message
  }

  /// Replaces a part of the range that the sender stated by that of the receiver's range.
  @_noLocks @_noAllocation
  private mutating func restated(_ message: ShortMessage, _ value: Int) -> ShortMessage {
    let channel = message.channel
    // The other part may differ from the receiver's.
    let wanted = wanted(channel)
    let has = channels[channel].receiver
    let isSemitones = message.number == 6
    let rest = isSemitones ? has % 100 == wanted % 100 : has / 100 == wanted / 100
    channels[channel].receiver = has >= 0 && rest ? wanted : -1
    isDoubted = false
    return message.with(value: value)
  }

  @_noLocks @_noAllocation
  private mutating func bend(
    _ message: ShortMessage, of event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList
  ) -> ShortMessage {
    let channel = message.channel
    let wanted = wanted(channel)
    let needsStatement = channels[channel].receiver != wanted
    if !needsStatement || list.room < Self.messagesOfStatement { return scaled(message) }
    channels[channel].receiver = wanted
    isFresh = false
    isDoubted = false
    return state(wanted, scaled(message), at: event, in: list)
  }

  /// Scales a bend, −8192 to 8191 about the middle, to the receiver's range.
  @_noLocks @_noAllocation
  private mutating func scaled(_ message: ShortMessage) -> ShortMessage {
    let channel = message.channel
    let receiver = channels[channel].receiver
    let from = sent(channel)
    let to = receiver >= 0 ? receiver : Self.usual
    if from == to { return message }
    let value = message.bend - 8192
    var scaled = 0
    if to > 0 {
      let product = value * from
      scaled = (product + (product < 0 ? -to / 2 : to / 2)) / to
    }
    scaled = scaled < -8192 ? -8192 : scaled > 8191 ? 8191 : scaled
    return message.with(number: scaled + 8192).with(value: (scaled + 8192) >> 7)
  }

  /// Inserts a bend after `event`, and before it a statement of the receiver's range.
  /// - Returns: the first message of the statement, to replace that of `event`.
  @_noLocks @_noAllocation
  private mutating func state(
    _ cents: Int, _ bend: ShortMessage, at event: UnsafeMutablePointer<RenderEvent>,
    in list: RenderEventList
  ) -> ShortMessage {
    let status = 0xB0 | bend.channel
    let selected = channels[bend.channel].selected
    var added = event.pointee
    var last = event
    var step = 0
    while step < Self.messagesOfStatement {
      switch step {
      case 0: added.message = ShortMessage(status, 100, 0)
      // The finer part first: some receivers act only on the coarser one.
      case 1: added.message = ShortMessage(status, 38, cents % 100)
      case 2: added.message = ShortMessage(status, 6, cents / 100)
      case 3:
        added.message = ShortMessage(status, selected.isRegistered ? 101 : 99, Int(selected.high))
      case 4:
        added.message = ShortMessage(status, selected.isRegistered ? 100 : 98, Int(selected.low))
      default: added.message = bend
      }
      if let new = list.insert(added, after: last) { last = new }
      step &+= 1
    }
    return ShortMessage(status, 101, 0)
  }
}

/// The stage's parameters. Raw values are parts of their addresses and never change.
package enum BendParameter: Int {
  /// The first of 16 switches, one per channel.
  case channels = 0
  case sender = 16
  case receiver

  static var count: Int { @_noLocks @_noAllocation get { receiver.rawValue &+ 1 } }
}

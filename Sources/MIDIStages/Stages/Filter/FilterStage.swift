// The stage that passes some MIDI and blocks the rest, but no end of a note or pedal it passed.

import UnitRender

/// Passes messages by channel, kind, key, velocity and controller number.
///
/// A range whose low end is above its high end passes values outside the gap between them.
///
/// With any settings at that time:
/// - a note-off passes exactly if its note-on did;
/// - the release of a pedal (controllers 64 to 69) passes if its press did, and so does Reset All
///   Controllers, which releases pedals too;
/// - All Sound Off and All Notes Off pass on a channel with notes that were passed. There, All
///   Notes Off replaces a blocked mode change (124 to 127), as a part of its meaning;
/// - System Reset passes while any such note is held or pedal pressed.
///
/// Local Control (122) and all messages not named here follow only the settings.
struct FilterStage {
  static var parameterCount: Int { @_noLocks @_noAllocation get { FilterParameter.count } }

  private enum Kind: UInt8, BitwiseCopyable {
    case note, controller, bend, pressure, program, systemExclusive, system
  }

  /// The channels that pass; bit n is channel n + 1.
  private var channels: UInt16 = .max
  /// The channels whose notes pass, as bits.
  private var noteChannels: UInt16 = .max
  private var keys = PassRange()
  private var velocities = PassRange(low: 1)
  private var controllers = PassRange()
  /// The kinds that pass; bit n is the kind of raw value n.
  private var kinds: UInt8 = .max
  private let held: HeldNotes
  /// The pedals that were passed as pressed on each channel; bit n is controller 64 + n.
  private var pedals = InlineArray<16, UInt8>(repeating: 0)

  /// - Thread: [control]
  init(_ setup: MIDIStageSetup) { held = .allocate() }

  func deallocate() { held.deallocate() }

  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Float) {
    switch FilterParameter(rawValue: index) {
    case .keyLow: keys.set(low: wholeNumber(value, from: 0, through: 127))
    case .keyHigh: keys.set(high: wholeNumber(value, from: 0, through: 127))
    case .velocityLow: velocities.set(low: wholeNumber(value, from: 1, through: 127))
    case .velocityHigh: velocities.set(high: wholeNumber(value, from: 1, through: 127))
    case .controllerLow: controllers.set(low: wholeNumber(value, from: 0, through: 127))
    case .controllerHigh: controllers.set(high: wholeNumber(value, from: 0, through: 127))
    case .passNote: setKind(.note, value)
    case .passController: setKind(.controller, value)
    case .passBend: setKind(.bend, value)
    case .passPressure: setKind(.pressure, value)
    case .passProgram: setKind(.program, value)
    case .passSystemExclusive: setKind(.systemExclusive, value)
    case .passSystem: setKind(.system, value)
    case .channels, nil: channels.setSwitch(index, to: value)
    }
    noteChannels = passes(.note) ? channels : 0
  }

  @_noLocks @_noAllocation
  private mutating func setKind(_ kind: Kind, _ value: Float) {
    kinds = value >= 0.5 ? kinds | 1 << kind.rawValue : kinds & ~(1 << kind.rawValue)
  }

  @_noLocks @_noAllocation
  mutating func reset() {
    held.forgetAll()
    forgetPedals()
  }

  var heldNotes: HeldNotes? { @_noLocks @_noAllocation get { held } }

  @_noLocks @_noAllocation
  mutating func pedals(_ channel: Int) -> UInt8 { pedals[channel] }

  @_noLocks @_noAllocation
  mutating func process(
    _ message: ShortMessage, _ kind: MessageKind, of event: UnsafeMutablePointer<RenderEvent>,
    in list: RenderEventList
  ) -> ShortMessage {
    switch kind {
    case .noteOn: return passes(noteOn: message, event.pointee.identity) ? message : .none
    case .noteOff:
      let tag = held.release(message.noteIndex, by: event)
      return tag < 0 ? .none : message.with(key: message.number)
    case .controller: return controller(message)
    default: return passes(message, kind) ? message : .none
    }
  }

  @_noLocks @_noAllocation @inline(__always)
  private mutating func passes(noteOn message: ShortMessage, _ identity: NoteIdentity) -> Bool {
    noteChannels.has(bit: message.channel) && keys.contains(message.number)
      && velocities.contains(message.value)
      && held.press(message.noteIndex, identity, tag: message.number)
  }

  /// Whether a message passes that is neither a note nor a controller with a meaning for notes.
  @_noLocks @_noAllocation
  private mutating func passes(_ message: ShortMessage, _ kind: MessageKind) -> Bool {
    switch kind {
    case .keyPressure: return passes(message, of: .pressure) && keys.contains(message.number)
    case .plainController:
      return passes(message, of: .controller) && controllers.contains(message.number)
    case .pitchBend: return passes(message, of: .bend)
    case .channelPressure: return passes(message, of: .pressure)
    case .programChange: return passes(message, of: .program)
    case .systemExclusive: return passes(.systemExclusive)
    case .system: return passes(.system)
    case .systemReset:
      let passes = passes(.system) || held.holdsNotes() || hasPedals()
      reset()
      return passes
    case .noteOn, .noteOff, .controller, .other: return true
    }
  }

  @_noLocks @_noAllocation
  private mutating func controller(_ message: ShortMessage) -> ShortMessage {
    let channel = message.channel
    let number = message.number
    let passes = passes(message, of: .controller) && controllers.contains(number)
    if ControllerNumber.isPedal(number) {
      let pedal = UInt8(1) << UInt8(truncatingIfNeeded: number - 64)
      let wasDown = pedals[channel] & pedal != 0
      let isDown = message.value >= 64
      if !isDown { pedals[channel] &= ~pedal }
      if isDown && passes { pedals[channel] |= pedal }
      return passes || (wasDown && !isDown) ? message : .none
    }
    if number == ControllerNumber.resetAllControllers {
      let isNeeded = pedals[channel] != 0
      pedals[channel] = 0
      return passes || isNeeded ? message : .none
    }
    if !ControllerNumber.endsNotes(number) { return passes ? message : .none }
    let isNeeded = held.holdsNotes(channel: channel)
    held.forget(channel: channel)
    if !passes && isNeeded && number > 123 { return message.asAllNotesOff }
    return passes || isNeeded ? message : .none
  }

  @_noLocks @_noAllocation @inline(__always)
  private func passes(_ kind: Kind) -> Bool { kinds >> kind.rawValue & 1 != 0 }

  @_noLocks @_noAllocation @inline(__always)
  private func passes(_ message: ShortMessage, of kind: Kind) -> Bool {
    passes(kind) && channels.has(bit: message.channel)
  }

  @_noLocks @_noAllocation
  private func hasPedals() -> Bool {
    var channel = 0
    while channel < 16 {
      if pedals[channel] != 0 { return true }
      channel &+= 1
    }
    return false
  }

  @_noLocks @_noAllocation
  private mutating func forgetPedals() {
    var channel = 0
    while channel < 16 {
      pedals[channel] = 0
      channel &+= 1
    }
  }
}

/// The stage's parameters. Raw values are parts of their addresses and never change.
package enum FilterParameter: Int {
  /// The first of 16 switches, one per channel.
  case channels = 0
  case keyLow = 16
  case keyHigh, velocityLow, velocityHigh, controllerLow, controllerHigh
  case passNote, passController, passBend, passPressure, passProgram, passSystemExclusive,
    passSystem

  static var count: Int { @_noLocks @_noAllocation get { passSystem.rawValue &+ 1 } }
}

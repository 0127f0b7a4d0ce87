// The stage that passes some MIDI and keeps the rest, without ever keeping the end of what it passed.

/// Passes messages by channel, kind, key, velocity and controller number.
///
/// A range whose low end is above its high end passes what is not in the gap between them.
///
/// Whatever the settings are at that time:
/// - a note-off passes exactly if its note-on did;
/// - the release of a pedal (controllers 64 to 69) passes if its press did, and so does Reset All
///   Controllers, which releases them too;
/// - All Sound Off and All Notes Off pass on a channel with notes that were passed; a mode change that
///   is not to pass (124 to 127) leaves an All Notes Off in its place, which is part of its meaning;
/// - System Reset passes while any such note is held or pedal pressed.
///
/// Local Control (122) and all that is not named here follow the settings alone.
struct FilterStage {
  /// Bit n passes channel n + 1.
  private var channels: UInt16 = .max
  /// The channels whose notes pass, as bits.
  private var noteChannels: UInt16 = .max
  private var keys = PassRange()
  private var velocities = PassRange(low: 1)
  private var controllers = PassRange()
  /// Bits in the order of the parameters: note, controller, bend, pressure, program, SysEx, system.
  private var kinds: UInt8 = 0x7F
  let held: HeldNotes
  /// Bit n: pedal 64 + n was passed as pressed on the channel.
  private(set) var pedals = InlineArray<16, UInt8>(repeating: 0)

  /// - Thread: [control]
  init(held: HeldNotes) { self.held = held }

  func deallocate() { held.deallocate() }

  /// Sets a parameter by its index in the stage: 0 to 15 the channels, 16 and 17 the keys, 18 and 19 the
  /// velocities, 20 and 21 the controllers, 22 to 28 the kinds.
  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Float) {
    switch index {
    case 0...15: channels = channels.with(bit: index, value >= 0.5)
    case 16: keys.set(low: wholeNumber(value, from: 0, through: 127))
    case 17: keys.set(high: wholeNumber(value, from: 0, through: 127))
    case 18: velocities.set(low: wholeNumber(value, from: 1, through: 127))
    case 19: velocities.set(high: wholeNumber(value, from: 1, through: 127))
    case 20: controllers.set(low: wholeNumber(value, from: 0, through: 127))
    case 21: controllers.set(high: wholeNumber(value, from: 0, through: 127))
    case 22...28: kinds = UInt8(UInt16(kinds).with(bit: index - 22, value >= 0.5))
    default: break
    }
    noteChannels = passes(kind: 0) ? channels : 0
  }

  /// Forgets what is held.
  @_noLocks @_noAllocation
  mutating func reset() {
    held.forgetAll()
    forgetPedals()
  }

  /// Whether every message passes, whatever is held.
  var isNeutral: Bool {
    @_noLocks @_noAllocation get {
      kinds == 0x7F && channels == .max && keys.isWhole() && velocities.isWhole(from: 1)
        && controllers.isWhole()
    }
  }

  /// The kinds of message that may not pass, or be changed: bit n for that of raw value n.
  var kindsOfInterest: UInt16 {
    @_noLocks @_noAllocation get {
      let areAllOn = channels == .max
      var kinds = MessageKind.bitsOfNotes
      if areAllOn && passes(kind: 3) && keys.isWhole() { kinds &= ~MessageKind.keyPressure.bit }
      if !areAllOn || !passes(kind: 1) || !controllers.isWhole() {
        kinds |= MessageKind.plainController.bit
      }
      if !areAllOn || !passes(kind: 2) { kinds |= MessageKind.pitchBend.bit }
      if !areAllOn || !passes(kind: 3) { kinds |= MessageKind.channelPressure.bit }
      if !areAllOn || !passes(kind: 4) { kinds |= MessageKind.programChange.bit }
      if !passes(kind: 5) { kinds |= MessageKind.systemExclusive.bit }
      if !passes(kind: 6) { kinds |= MessageKind.system.bit }
      return kinds
    }
  }

  /// What becomes of a note.
  @_noLocks @_noAllocation @inline(__always)
  mutating func process(_ note: NoteMessage) -> NoteMessage {
    if !note.isOn { return held.release(note.place) < 0 ? note.none : note }
    let passes =
      noteChannels.has(bit: note.channel) && keys.contains(note.key)
      && velocities.contains(note.velocity) && held.press(note.place, tag: note.key)
    return passes ? note : note.none
  }

  /// What becomes of a message that is no note.
  @_noLocks @_noAllocation
  mutating func process(_ message: ShortMessage, _ kind: MessageKind) -> ShortMessage {
    if case .controller = kind { return controller(message) }
    return passes(message, kind) ? message : .none
  }

  /// Whether a message passes that is no note and no controller with a meaning for notes.
  @_noLocks @_noAllocation
  private mutating func passes(_ message: ShortMessage, _ kind: MessageKind) -> Bool {
    switch kind {
    case .keyPressure: return passes(message, kind: 3) && keys.contains(message.number)
    case .plainController: return passes(message, kind: 1) && controllers.contains(message.number)
    case .pitchBend: return passes(message, kind: 2)
    case .channelPressure: return passes(message, kind: 3)
    case .programChange: return passes(message, kind: 4)
    case .systemExclusive: return passes(kind: 5)
    case .system: return passes(kind: 6)
    case .systemReset:
      let passes = passes(kind: 6) || held.holdsNotes() || hasPedals()
      reset()
      return passes
    case .noteOn, .noteOff, .controller, .other: return true
    }
  }

  @_noLocks @_noAllocation
  private mutating func controller(_ message: ShortMessage) -> ShortMessage {
    let channel = message.channel
    let number = message.number
    let passes = passes(message, kind: 1) && controllers.contains(number)
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
  private func passes(kind: UInt8) -> Bool { kinds >> kind & 1 != 0 }

  @_noLocks @_noAllocation @inline(__always)
  private func passes(_ message: ShortMessage, kind: UInt8) -> Bool {
    passes(kind: kind) && channels.has(bit: message.channel)
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

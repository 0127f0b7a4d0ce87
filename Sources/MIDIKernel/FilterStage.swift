// The stage that passes some MIDI and keeps the rest, without ever keeping the end of what it passed.

import UnitRender

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
  private var keys = PassRange()
  private var velocities = PassRange(low: 1)
  private var controllers = PassRange()
  /// Bits in the order of the parameters: note, controller, bend, pressure, program, SysEx, system.
  private var kinds: UInt8 = 0x7F
  private let held: HeldNotes
  /// Bit n: pedal 64 + n was passed as pressed on the channel.
  private var pedals = InlineArray<16, UInt8>(repeating: 0)

  /// - Thread: [control]
  init(held: HeldNotes) { self.held = held }

  func deallocate() { held.deallocate() }

  /// Sets a parameter by its index in the stage: 0 to 15 the channels, 16 and 17 the keys, 18 and 19 the
  /// velocities, 20 and 21 the controllers, 22 to 28 the kinds.
  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Float) {
    switch index {
    case 0...15: channels = channels.with(bit: index, value >= 0.5)
    case 16: keys.low = wholeNumber(value, from: 0, through: 127)
    case 17: keys.high = wholeNumber(value, from: 0, through: 127)
    case 18: velocities.low = wholeNumber(value, from: 1, through: 127)
    case 19: velocities.high = wholeNumber(value, from: 1, through: 127)
    case 20: controllers.low = wholeNumber(value, from: 0, through: 127)
    case 21: controllers.high = wholeNumber(value, from: 0, through: 127)
    case 22...28: kinds = UInt8(UInt16(kinds).with(bit: index - 22, value >= 0.5))
    default: break
    }
  }

  /// Forgets what is held.
  @_noLocks @_noAllocation
  mutating func reset() {
    held.forgetAll()
    forgetPedals()
  }

  @_noLocks @_noAllocation
  mutating func process(
    _ event: UnsafeMutablePointer<RenderEvent>, of list: RenderEventList,
    into output: RenderEventList
  ) {
    let message = event.pointee
    switch message.messageKind {
    case .noteOn: noteOn(message, output)
    case .noteOff:
      let key = held.release(channel: message.channel, key: message.number)
      if key >= 0 { _ = output.insert(message.withKey(key)) }
    case .keyPressure:
      if passes(message, kind: 3) && keys.contains(message.number) { _ = output.insert(message) }
    case .controller: controller(message, output)
    case .pitchBend: if passes(message, kind: 2) { _ = output.insert(message) }
    case .channelPressure: if passes(message, kind: 3) { _ = output.insert(message) }
    case .programChange: if passes(message, kind: 4) { _ = output.insert(message) }
    case .systemExclusive:
      if passes(kind: 5) { _ = output.insertCopy(of: event, from: list, at: message.frame) }
    case .system: if passes(kind: 6) { _ = output.insert(message) }
    case .systemReset:
      if passes(kind: 6) || held.holdsNotes() || hasPedals() { _ = output.insert(message) }
      reset()
    case .other: _ = output.insert(message)
    }
  }

  @_noLocks @_noAllocation
  private func noteOn(_ message: RenderEvent, _ output: RenderEventList) {
    let key = message.number
    let passes =
      passes(message, kind: 0) && keys.contains(key)
      && velocities.contains(Int(message.bytes.2))
    if passes && held.press(channel: message.channel, key: key, tag: key) {
      _ = output.insert(message)
    }
  }

  @_noLocks @_noAllocation
  private mutating func controller(_ message: RenderEvent, _ output: RenderEventList) {
    let channel = message.channel
    let number = message.number
    var passes = passes(message, kind: 1) && controllers.contains(number)
    if ControllerNumber.isPedal(number) {
      let pedal = UInt8(1) << UInt8(truncatingIfNeeded: number - 64)
      if message.bytes.2 < 64 {
        passes = passes || pedals[channel] & pedal != 0
        pedals[channel] &= ~pedal
      } else if passes {
        pedals[channel] |= pedal
      }
    } else if number == ControllerNumber.resetAllControllers {
      passes = passes || pedals[channel] != 0
      pedals[channel] = 0
    } else if ControllerNumber.endsNotes(number) {
      let mustEnd = !passes && held.holdsNotes(channel: channel)
      held.forget(channel: channel)
      if mustEnd && number > 123 {
        var notesOff = message
        notesOff.bytes.1 = ControllerNumber.allNotesOff
        notesOff.bytes.2 = 0
        _ = output.insert(notesOff)
        return
      }
      passes = passes || mustEnd
    }
    if passes { _ = output.insert(message) }
  }

  @_noLocks @_noAllocation
  private func passes(kind: UInt8) -> Bool { kinds >> kind & 1 != 0 }

  @_noLocks @_noAllocation
  private func passes(_ message: RenderEvent, kind: UInt8) -> Bool {
    passes(kind: kind) && channels.has(bit: message.channel)
  }

  @_noLocks @_noAllocation
  private func hasPedals() -> Bool {
    var channel = 0
    while channel < 16 {
      if pedals[channel] != 0 { return true }
      channel += 1
    }
    return false
  }

  @_noLocks @_noAllocation
  private mutating func forgetPedals() {
    var channel = 0
    while channel < 16 {
      pedals[channel] = 0
      channel += 1
    }
  }
}

// The stage that plays held keys one after the other, on the grid of musical time.

import Realtime
import UnitRender

/// Turns the keys held on some channels, together, into a pattern of notes, one per step.
///
/// - If the clock has a position (see `MusicalClock`), the steps are on the song's own grid; a key
///   pressed between two waits for the next. Otherwise the first key's frame is the first step.
/// - The pattern begins with the step that follows the first key, or depends only on the position.
///   Up and down go through the octaves; up-down plays the ends once. As played follows the order
///   of presses. Random depends on the seed and the step's number, so that a loop repeats it. Chord
///   plays all keys, an octave per step. Notes above key 127 are left out.
/// - Each note ends after its gate, in beats. A sounding note ends before its key is struck again.
///   Notes keep the channel of their keys.
/// - A latch keeps released keys until the next is pressed without another held. The sustain pedal,
///   if it is to hold, keeps them while it is down, and is not sent on.
/// - A message that ends all notes of a channel passes, and ends its keys too. Other messages and
///   channels pass, except for the pressure of held keys.
struct ArpeggiatorStage {
  static var parameterCount: Int { @_noLocks @_noAllocation get { ArpeggiatorParameter.count } }
  static var isTimed: Bool { @_noLocks @_noAllocation get { true } }

  enum Mode: Int, BitwiseCopyable {
    case up, down, upDown, random, asPlayed, chord
  }

  enum Velocities: Int, BitwiseCopyable {
    case asPlayed, fixed, accent
  }

  /// The tags of held notes: passed on, or taken as keys.
  private static var passedTag: Int { @_noLocks @_noAllocation get { 0 } }
  private static var takenTag: Int { @_noLocks @_noAllocation get { 1 } }

  /// The channels whose keys are taken; bit n is channel n + 1.
  private var channels: UInt16 = .max
  var mode = Mode.up
  var octaves = 1
  var gate = 0.8
  var velocities = Velocities.asPlayed
  var velocity: UInt8 = 100
  private var isLatched = false
  private var isBypassed = false
  var seed = 1
  var beginsWithKey = true
  private var pedalHolds = false
  /// The channels with a holding pedal down, and those with a passed press; bit n is channel n + 1.
  private var holdingPedals: UInt16 = 0
  private var passedPedals: UInt16 = 0
  let held: HeldNotes
  let keys: ArpeggioKeys
  let sounding: SoundingNotes

  var lines: BeatSegments?
  var cursor = BeatCursor()
  var grid = StepGrid()
  var epoch: UInt32 = 0
  var isPositioned = false
  var nextStep = 0
  /// The step with which the pattern begins.
  var firstStep = 0
  /// Whether the next step has to be found in the segment, and whether it begins the pattern.
  var isAstray = true
  var begins = false
  /// Whether a note-off found no room in this call's list.
  var isFull = false

  /// - Thread: [control]
  init(_ setup: MIDIStageSetup) {
    held = .allocate()
    keys = .allocate()
    sounding = .allocate()
  }

  func deallocate() {
    held.deallocate()
    keys.deallocate()
    sounding.deallocate()
  }

  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Float) {
    switch ArpeggiatorParameter(rawValue: index) {
    case .mode: mode = Mode(rawValue: wholeNumber(value, from: 0, through: 5)) ?? .up
    case .octaves: octaves = wholeNumber(value, from: 1, through: 4)
    case .rate:
      grid.length = NoteValue.beats(wholeNumber(value, from: 0, through: NoteValue.count - 1))
      isAstray = true
    case .gate: gate = number(value, from: 1, through: 200) / 100
    case .swing:
      grid.swing = number(value, from: 50, through: 75) / 100
      isAstray = true
    case .velocities:
      velocities = Velocities(rawValue: wholeNumber(value, from: 0, through: 2)) ?? .asPlayed
    case .velocity:
      velocity = UInt8(truncatingIfNeeded: wholeNumber(value, from: 1, through: 127))
    case .latch:
      isLatched = value >= 0.5
      removeReleased()
    case .seed: seed = wholeNumber(value, from: 0, through: 9999)
    case .begin: beginsWithKey = value < 0.5
    case .pedal:
      pedalHolds = value >= 0.5
      if !pedalHolds { holdingPedals = 0 }
      removeReleased()
    case .channels, nil: channels.setSwitch(index, to: value)
    }
  }

  /// Forgets held keys and sounding notes.
  @_noLocks @_noAllocation
  mutating func reset() {
    held.forgetAll()
    keys.removeAll()
    sounding.forgetAll()
    holdingPedals = 0
    passedPedals = 0
    isAstray = true
  }

  @_noLocks @_noAllocation
  mutating func process(
    _ message: ShortMessage, _ kind: MessageKind, of event: UnsafeMutablePointer<RenderEvent>,
    in list: RenderEventList
  ) -> ShortMessage {
    if case .noteOff = kind {
      let tag = held.release(message.noteIndex, by: event)
      if tag == Self.passedTag { return message.with(key: message.number) }
      if tag == Self.takenTag {
        keys.release(channel: message.channel, key: message.number)
        removeReleased()
      }
      return .none
    }
    return passes(message, kind, event.pointee.identity, in: list) ? message : .none
  }

  /// Takes in a message other than a note-off. - Returns: whether it passes.
  @_noLocks @_noAllocation
  private mutating func passes(
    _ message: ShortMessage, _ kind: MessageKind, _ identity: NoteIdentity, in list: RenderEventList
  ) -> Bool {
    let channel = message.channel
    let number = message.number
    switch kind {
    case .noteOn: return noteOn(message, identity, in: list)
    case .keyPressure:
      let tag = held.tag(message.noteIndex, identity)
      return tag == Self.passedTag || (tag == -2 && !channels.has(bit: channel))
    case .controller:
      if number == 64 { return pedal(message) }
      if ControllerNumber.endsNotes(number) { endAll(of: channel) }
      if number == ControllerNumber.resetAllControllers {
        passedPedals = passedPedals.with(bit: channel, false)
        lift(channel)
      }
      return true
    case .systemReset:
      reset()
      return true
    case .noteOff, .plainController, .systemExclusive, .programChange, .channelPressure,
      .pitchBend, .system, .other:
      return true
    }
  }

  @_noLocks @_noAllocation
  private mutating func noteOn(
    _ message: ShortMessage, _ identity: NoteIdentity, in list: RenderEventList
  ) -> Bool {
    let (channel, key) = (message.channel, message.number)
    if !channels.has(bit: channel) {
      if held.press(message.noteIndex, identity, tag: Self.passedTag) { return true }
      held.pressSilently(message.noteIndex)
      return false
    }
    if isLatched && holdingPedals == 0 && !keys.isPressed { keys.removeAll() }
    let begins = keys.count == 0
    if !held.press(message.noteIndex, identity, tag: Self.takenTag) {
      held.pressSilently(message.noteIndex)
      return false
    }
    if !keys.press(channel: channel, key: key, velocity: UInt8(message.value)) {
      // The note is held all the same, and its note-off finds no key to release.
      list.header.pointee.droppedCount &+= 1
    } else if begins {
      self.begins = true
    }
    return false
  }

  @_noLocks @_noAllocation
  private mutating func pedal(_ message: ShortMessage) -> Bool {
    let channel = message.channel
    if message.value >= 64 {
      if pedalHolds && channels.has(bit: channel) {
        holdingPedals = holdingPedals.with(bit: channel, true)
        return false
      }
      passedPedals = passedPedals.with(bit: channel, true)
      return true
    }
    let held = holdingPedals.has(bit: channel)
    lift(channel)
    let passed = passedPedals.has(bit: channel)
    passedPedals = passedPedals.with(bit: channel, false)
    return passed || !held
  }

  @_noLocks @_noAllocation
  private mutating func lift(_ channel: Int) {
    if !holdingPedals.has(bit: channel) { return }
    holdingPedals = holdingPedals.with(bit: channel, false)
    removeReleased()
  }

  @_noLocks @_noAllocation
  private func removeReleased() {
    if (!isLatched || isBypassed) && holdingPedals == 0 { keys.removeReleased() }
  }

  /// A bypassed stage plays the keys that it has taken until they are released, also latched ones.
  @_noLocks @_noAllocation
  mutating func setBypassed(_ isBypassed: Bool) {
    self.isBypassed = isBypassed
    removeReleased()
  }

  var heldNotes: HeldNotes? { @_noLocks @_noAllocation get { held } }

  @_noLocks @_noAllocation
  mutating func holdsNotes(_ channel: Int) -> Bool {
    sounding.sounds(channel: channel) || held.holdsNotes(channel: channel)
  }

  @_noLocks @_noAllocation
  mutating func pedals(_ channel: Int) -> UInt8 {
    (holdingPedals | passedPedals).has(bit: channel) ? 1 : 0
  }

  @_noLocks @_noAllocation
  private mutating func endAll(of channel: Int) {
    held.forget(channel: channel)
    keys.remove(channel: channel)
    sounding.forget(channel: channel)
  }
}

/// The stage's parameters. Raw values are parts of their addresses and never change.
package enum ArpeggiatorParameter: Int {
  /// The first of 16 switches, one per channel.
  case channels = 0
  case mode = 16
  case octaves, rate, gate, swing, velocities, velocity, latch, seed, begin, pedal

  static var count: Int { @_noLocks @_noAllocation get { pedal.rawValue &+ 1 } }
}

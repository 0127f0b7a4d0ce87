// The path of messages around a bypassed stage, and of its notes' ends through it.

import Realtime
import UnitRender

extension MIDIChainLayout.Stage {
  /// The index of the bypass, the same in every kind of stage.
  package static var bypassIndex: Int { @_noLocks @_noAllocation get { 0xFF } }
}

/// The bypass of one stage.
///
/// While it is on, messages pass around the stage, except for the ends of notes and pedals that the
/// stage has let in. After it is switched off, the ends of those that have passed around still pass
/// around. `NoteRoute` decides which. A message that takes both paths goes around second.
struct StageBypass: BitwiseCopyable {
  /// Whether messages may have to pass around the stage.
  private(set) var isNeeded = false
  private let isStagesOwn: Bool
  private let remembersNotes: Bool
  private var isSwitchedOn = false
  private var unitIsBypassed = false
  /// The notes and pedals that began around the stage.
  private let notes = HeldNotes.allocate()
  private var pedals = PedalSet()

  /// - Parameter traits: those of the stage.
  /// - Thread: [control]
  init(_ traits: MIDIStageTraits) {
    isStagesOwn = traits.bypassesItself
    remembersNotes = traits.remembersNotes
  }

  /// - Thread: [control], after the last use of the memory.
  func deallocate() { notes.deallocate() }

  /// Whether the stage is bypassed, by its own switch or with the whole unit.
  var isOn: Bool { @_noLocks @_noAllocation get { isSwitchedOn || unitIsBypassed } }

  @_noLocks @_noAllocation
  mutating func set(_ isOn: Bool) {
    isSwitchedOn = isOn
    findNeed()
  }

  @_noLocks @_noAllocation
  mutating func setUnit(isBypassed: Bool) {
    unitIsBypassed = isBypassed
    findNeed()
  }

  /// Forgets the notes and pedals that have passed around.
  @_noLocks @_noAllocation
  mutating func reset() {
    notes.forgetAll()
    pedals.removeAll()
    findNeed()
  }

  @_noLocks @_noAllocation
  private mutating func findNeed() {
    isNeeded = (isOn && !isStagesOwn) || !notes.isEmpty || !pedals.isEmpty
  }

  /// Decides the paths of a message. One that goes around passes by `passAround`.
  @_noLocks @_noAllocation
  func route(
    _ message: ShortMessage, _ kind: MessageKind, _ identity: NoteIdentity, _ stage: MIDIStage
  ) -> (through: Bool, around: Bool) {
    let subject = message.subject(kind)
    var (isHeld, passed): (Bool, Bool)
    if case .note(let note) = subject {
      // If both paths hold notes of the key, the note that the message belongs to decides.
      let (inside, outside) = (stage.fit(note, identity), notes.fit(note, identity))
      isHeld = inside > 0 && inside >= outside
      passed = outside > 0 && outside >= inside
      // Also a note-off whose note-on the stage has forgotten, or needs no memory for.
      if isOn && kind.isNoteOff { isHeld = true }
    } else {
      isHeld = stage.holds(subject)
      passed = holds(subject)
    }
    let route = NoteRoute(
      subject, current: isOn ? passed : isHeld, other: isOn ? isHeld : passed)
    return isOn ? (route.toOther, route.toCurrent) : (route.toCurrent, route.toOther)
  }

  /// Whether some of a subject began around the stage.
  @_noLocks @_noAllocation
  private func holds(_ subject: MessageSubject) -> Bool {
    switch subject {
    case .nothing: false
    case .note(let note): notes.fit(note, .none) > 0
    case .pedal(let channel, let pedal): pedals[channel] & pedal != 0
    case .pedals(let channel): pedals[channel] != 0
    case .notes(let channel): notes.holdsNotes(channel: channel)
    case .everything: !notes.isEmpty || !pedals.isEmpty
    }
  }

  /// Remembers the notes and pedals that a message begins or ends around the stage.
  /// - Returns: whether the message passes; a note-on without room in the memory does not.
  @_noLocks @_noAllocation
  mutating func passAround(
    _ message: ShortMessage, _ kind: MessageKind, of event: UnsafeMutablePointer<RenderEvent>
  ) -> Bool {
    switch kind {
    case .noteOn:
      if !notes.press(message.noteIndex, event.pointee.identity, tag: message.number) {
        return false
      }
    case .noteOff:
      let identity = event.pointee.identity
      _ = notes.release(message.noteIndex, by: event)
      // With a stage that passes note-offs unchanged, each keeps its note.
      if !remembersNotes { event.pointee.identity = identity }
    case .controller:
      pedals.take(message)
      if ControllerNumber.endsNotes(message.number) { notes.forget(channel: message.channel) }
    case .systemReset:
      notes.forgetAll()
      pedals.removeAll()
    default: return true
    }
    findNeed()
    return true
  }

  /// Takes in an event of the stage's output: it may end notes that have passed around.
  @_noLocks @_noAllocation
  mutating func cameThrough(_ event: UnsafeMutablePointer<RenderEvent>) {
    let message = event.pointee.message
    if message.endsNotes(MessageKind.of(event)) {
      notes.forget(channel: message.channel)
      findNeed()
    }
  }
}

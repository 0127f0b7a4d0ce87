// How messages pass around a stage, and what the stage has let in still finds its way through it.

import Realtime
import UnitRender

extension MIDIChainLayout.Stage {
  /// The index of the bypass, the same in every kind of stage.
  package static var bypassIndex: Int { @_noLocks @_noAllocation get { 0xFF } }
}

/// The bypass of one stage.
///
/// While it is on, messages pass around the stage, but for the ends of what the stage has let in.
/// When it is switched off again, the ends of what has passed around still do. `NoteRoute` says
/// which. What goes both ways goes around second.
struct StageBypass: BitwiseCopyable {
  /// Whether anything may have to pass around the stage.
  private(set) var isNeeded = false
  private let isStagesOwn: Bool
  private var isSwitchedOn = false
  private var unitIsBypassed = false
  /// The notes and pedals that have begun around the stage.
  private var around = NoteLedger.allocate()

  /// - Parameter isStagesOwn: whether the stage does itself what a bypass means, and all goes
  ///   through it.
  /// - Thread: [control]
  init(isStagesOwn: Bool) { self.isStagesOwn = isStagesOwn }

  /// - Thread: [control], once nobody uses the memory any more.
  func deallocate() { around.deallocate() }

  /// Whether the stage is bypassed, by itself or with all of the unit.
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

  /// Forgets what has passed around.
  @_noLocks @_noAllocation
  mutating func reset() {
    around.forgetAll()
    findNeed()
  }

  @_noLocks @_noAllocation
  private mutating func findNeed() { isNeeded = (isOn && !isStagesOwn) || !around.isEmpty }

  /// Decides where a message goes, and remembers what it begins or ends around the stage.
  @_noLocks @_noAllocation
  mutating func route(
    _ message: ShortMessage, _ kind: MessageKind, _ identity: NoteIdentity, _ stage: MIDIStage
  ) -> (through: Bool, around: Bool) {
    let subject = message.subject(kind)
    var isHeld = stage.holds(subject)
    // Also a note-off whose note-on the stage has forgotten, or needs no memory for.
    if isOn && kind.isNoteOff { isHeld = true }
    var passed = around.holds(subject)
    if passed, isHeld, case .note(let place) = subject, let notes = stage.heldNotes {
      // Two notes of one key, of which the stage knows its own.
      if notes.holds(place, identity) {
        passed = false
      } else if !identity.isNone {
        isHeld = false
      }
    }
    let route = NoteRoute(
      subject, current: isOn ? passed : isHeld, other: isOn ? isHeld : passed)
    let isAround = isOn ? route.toCurrent : route.toOther
    if isAround {
      around.take(message, kind)
      findNeed()
    }
    return (isOn ? route.toOther : route.toCurrent, isAround)
  }

  /// Takes notice of what has come out of the stage: it may end notes that have passed around.
  @_noLocks @_noAllocation
  mutating func cameThrough(_ event: UnsafeMutablePointer<RenderEvent>) {
    let message = event.pointee.message
    if message.endsNotes(MessageKind.of(event)) {
      around.forgetNotes(message.channel)
      findNeed()
    }
  }
}

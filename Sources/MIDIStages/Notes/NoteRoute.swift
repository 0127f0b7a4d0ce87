// The choice between two receivers of a stream for each message.

import UnitRender

/// The held notes or pedals that a message ends, or presses harder.
enum MessageSubject: BitwiseCopyable {
  case nothing
  /// A note: channel · 128 + key.
  case note(Int)
  /// A pedal that is released, as a bit.
  case pedal(channel: Int, UInt8)
  /// The pedals of a channel.
  case pedals(channel: Int)
  /// The notes of a channel.
  case notes(channel: Int)
  case everything
}

extension ShortMessage {
  /// The subject of a message of a kind.
  @_noLocks @_noAllocation
  func subject(_ kind: MessageKind) -> MessageSubject {
    switch kind {
    case .noteOff, .keyPressure: return .note(noteIndex)
    case .controller:
      let pedal = pedal
      if pedal != 0 { return value < 64 ? .pedal(channel: channel, pedal) : .nothing }
      if number == ControllerNumber.resetAllControllers { return .pedals(channel: channel) }
      return ControllerNumber.endsNotes(number) ? .notes(channel: channel) : .nothing
    case .systemReset: return .everything
    default: return .nothing
    }
  }
}

/// The route of a message of a stream with two receivers. The current one gets the notes and pedals
/// that begin; the other may hold earlier ones. The two are a stage and its bypass, or a chain and
/// its successor.
///
/// - Notes and pedals end where they began. If both receivers hold a key, the current one's note
///   ends first, which is the newest press unless the receivers have changed back. A message for
///   something that neither holds goes to the current one.
/// - A message that ends several notes or pedals goes to the current one, and to the other if it
///   holds any of them.
struct NoteRoute: BitwiseCopyable {
  var toCurrent = true
  var toOther = false

  /// - Parameters:
  ///   - current: whether the current receiver holds some of the subject.
  ///   - other: whether the other receiver holds some of the subject.
  @_noLocks @_noAllocation
  init(_ subject: MessageSubject, current: Bool, other: Bool) {
    switch subject {
    case .nothing: break
    case .note:
      toOther = other && !current
      toCurrent = !toOther
    case .pedal:
      toOther = other
      toCurrent = current || !other
    case .pedals, .notes, .everything: toOther = other
    }
  }
}

extension NoteLedger {
  /// Whether some of a subject is held.
  @_noLocks @_noAllocation
  mutating func holds(_ subject: MessageSubject) -> Bool {
    switch subject {
    case .nothing: false
    case .note(let index): count(index) > 0
    case .pedal(let channel, let pedal): pedals[channel] & pedal != 0
    case .pedals(let channel): pedals[channel] != 0
    case .notes(let channel): holdsNotes(channel)
    case .everything: !isEmpty
    }
  }
}

extension MIDIStage {
  /// Whether the stage has let in some of a subject, and sent it on.
  @_noLocks @_noAllocation
  func holds(_ subject: MessageSubject) -> Bool {
    switch subject {
    case .nothing: return false
    case .note(let index): return fit(index, .none) > 0
    case .pedal(let channel, let pedal): return pedals(channel) & pedal != 0
    case .pedals(let channel): return pedals(channel) != 0
    case .notes(let channel): return holdsNotes(channel)
    case .everything:
      var channel = 0
      while channel < 16 {
        if holdsNotes(channel) || pedals(channel) != 0 { return true }
        channel &+= 1
      }
      return false
    }
  }
}

// Which of two receivers of a stream a message goes to.

import UnitRender

/// What of all that a receiver may hold a message ends, or presses harder.
enum MessageSubject: BitwiseCopyable {
  case nothing
  /// A note, by its place.
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
  /// What a message of a kind is about.
  @_noLocks @_noAllocation
  func subject(_ kind: MessageKind) -> MessageSubject {
    switch kind {
    case .noteOff, .keyPressure: return .note(place)
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

/// Where a message of a stream with two receivers goes: to the current one, which takes what
/// begins, or to another, which may hold what began before. Such receivers are a stage and what
/// passes around it, or a chain and its successor.
///
/// - What has begun ends where it began. Of a key that is held at both the current receiver's note
///   ends first, which is the newest press unless the receivers have changed back. What nobody
///   holds goes to the current one.
/// - What ends several things goes to the current one, and to the other if that holds any of them.
struct NoteRoute: BitwiseCopyable {
  var toCurrent = true
  var toOther = false

  /// - Parameters:
  ///   - current: whether the current receiver holds some of the subject.
  ///   - other: likewise the other one.
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
    case .note(let place): count(place) > 0
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
    case .note(let place): return fit(place, .none) > 0
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

// How the messages of a note follow it to the key that it was sent as.

extension HeldNotes {
  /// What becomes of a note in a stage that moves notes to other keys: a note-off goes to the key that
  /// the note-on was sent as.
  /// - Parameter key: where a note-on goes; outside 0…127 it is not sent.
  @_noLocks @_noAllocation @inline(__always)
  func follow(_ note: NoteMessage, to key: Int) -> NoteMessage {
    if note.isOn {
      if key < 0 || key > 127 || !press(note.place, tag: key) {
        pressSilently(note.place)
        return note.none
      }
      return note.with(key: key)
    }
    let key = release(note.place)
    return key < 0 ? note.none : note.with(key: key)
  }

  /// What becomes of a message that is no note in a stage that moves notes to other keys.
  ///
  /// The pressure of a held key goes to the key that the note-on was sent as. What ends all notes of a
  /// channel passes, and what was held there is forgotten.
  /// - Parameter key: where the pressure of a key goes that is not held; outside 0…127 it is not sent.
  @_noLocks @_noAllocation
  func follow(_ message: ShortMessage, _ kind: MessageKind, to key: Int) -> ShortMessage {
    switch kind {
    case .keyPressure:
      let sent = tag(channel: message.channel, key: message.number)
      let key = sent == -2 ? key : sent
      return key < 0 || key > 127 ? .none : message.with(number: key)
    default:
      forget(by: message, kind)
      return message
    }
  }

  /// Forgets the notes that a message ends.
  @_noLocks @_noAllocation
  private func forget(by message: ShortMessage, _ kind: MessageKind) {
    switch kind {
    case .controller:
      if ControllerNumber.endsNotes(message.number) { forget(channel: message.channel) }
    case .systemReset: forgetAll()
    default: break
    }
  }
}

// Messages of a note, sent to the key that its note-on was sent as.

import UnitRender

extension HeldNotes {
  /// Returns the message to send instead, in a stage that moves notes to other keys.
  ///
  /// The note-off and the pressure of a held key go to the key that the note-on was sent as. A
  /// message that ends all notes of a channel passes, and the notes held there are forgotten.
  /// - Parameters:
  ///   - event: the event of the message, with the identity of its note.
  ///   - key: the key for a note-on, and for the pressure of a key that is not held; outside 0…127
  ///     the message is not sent.
  @_noLocks @_noAllocation @inline(__always)
  func follow(
    _ message: ShortMessage, _ kind: MessageKind, of event: UnsafeMutablePointer<RenderEvent>,
    to key: Int
  ) -> ShortMessage {
    switch kind {
    case .noteOn:
      if key < 0 || key > 127 || !press(message.noteIndex, event.pointee.identity, tag: key) {
        pressSilently(message.noteIndex)
        return .none
      }
      return message.with(number: key)
    case .noteOff:
      let key = release(message.noteIndex, by: event)
      return key < 0 ? .none : message.with(key: key)
    case .keyPressure:
      let sent = tag(message.noteIndex, event.pointee.identity)
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

// How the messages of a note follow it to the key that it was sent as.

extension HeldNotes {
  /// What becomes of a message in a stage that moves notes to other keys.
  ///
  /// A note-off and the pressure of a held key go to the key that the note-on was sent as. What ends all
  /// notes of a channel passes, and what was held there is forgotten.
  /// - Parameter key: where the note goes if it is not yet held; outside 0…127 it is not sent.
  @_noLocks @_noAllocation @inline(__always)
  func follow(_ message: ShortMessage, _ kind: MessageKind, to key: Int) -> ShortMessage {
    switch kind {
    case .noteOn:
      if key < 0 || key > 127
        || !press(channel: message.channel, key: message.number, tag: key)
      {
        pressSilently(channel: message.channel, key: message.number)
        return .none
      }
      return message.with(number: key)
    case .noteOff:
      let key = release(channel: message.channel, key: message.number)
      return key < 0 ? .none : message.with(key: key)
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
  @_noLocks @_noAllocation @inline(never)
  private func forget(by message: ShortMessage, _ kind: MessageKind) {
    switch kind {
    case .controller:
      if ControllerNumber.endsNotes(message.number) { forget(channel: message.channel) }
    case .systemReset: forgetAll()
    default: break
    }
  }
}

// How the messages of a note follow it to the key that it was sent as.

import UnitRender

extension HeldNotes {
  /// Sends a message on for a stage that moves notes to other keys.
  ///
  /// A note-off and the pressure of a held key go to the key that the note-on was sent as. What ends all
  /// notes of a channel passes, and what was held there is forgotten.
  /// - Parameter key: where the note goes if it is not yet held; outside 0…127 it is not sent.
  /// - Returns: false when the message is not to pass.
  @_noLocks @_noAllocation
  func follow(_ event: UnsafeMutablePointer<RenderEvent>, to key: Int) -> Bool {
    let message = event.pointee
    var key = key
    switch message.messageKind {
    case .noteOn:
      if key < 0 || key > 127
        || !press(channel: message.channel, key: message.number, tag: key)
      {
        pressSilently(channel: message.channel, key: message.number)
        return false
      }
    case .noteOff:
      key = release(channel: message.channel, key: message.number)
    case .keyPressure:
      let sent = tag(channel: message.channel, key: message.number)
      if sent != -2 { key = sent }
    case .controller:
      if ControllerNumber.endsNotes(message.number) { forget(channel: message.channel) }
      return true
    case .systemReset:
      forgetAll()
      return true
    case .systemExclusive, .programChange, .channelPressure, .pitchBend, .system, .other:
      return true
    }
    if key < 0 || key > 127 { return false }
    event.pointee.setKey(key)
    return true
  }
}

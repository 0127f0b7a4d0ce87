// A note message as it goes from stage to stage.

/// A note-on or note-off, so laid out that a stage finds at once what it remembers of the note.
struct NoteMessage: BitwiseCopyable {
  let isOn: Bool
  /// Channel · 128 + key; −1 for a note that is not to pass.
  let place: Int
  /// 0 to 127.
  let velocity: Int

  @_noLocks @_noAllocation @inline(__always)
  private init(isOn: Bool, place: Int, velocity: Int) {
    self.isOn = isOn
    self.place = place
    self.velocity = velocity
  }

  /// A note-on of velocity 0 becomes the note-off that it stands for, with the velocity that MIDI
  /// gives to such a one.
  /// - Parameter isOn: whether `message` is a note-on, rather than a note-off.
  @_noLocks @_noAllocation @inline(__always)
  init(_ message: ShortMessage, isOn: Bool) {
    self.isOn = isOn
    place = message.channel << 7 | message.number
    velocity = isOn || message.status & 0x10 == 0 ? message.value : 64
  }

  /// What a stage makes of a note that is not to pass.
  var none: NoteMessage {
    @_noLocks @_noAllocation @inline(__always) get {
      NoteMessage(isOn: isOn, place: -1, velocity: 0)
    }
  }
  var isNone: Bool { @_noLocks @_noAllocation @inline(__always) get { place < 0 } }

  /// 0 to 15.
  var channel: Int { @_noLocks @_noAllocation @inline(__always) get { place >> 7 & 15 } }
  /// 0 to 127.
  var key: Int { @_noLocks @_noAllocation @inline(__always) get { place & 127 } }

  var message: ShortMessage {
    @_noLocks @_noAllocation @inline(__always) get {
      isNone ? .none : ShortMessage((isOn ? 0x90 : 0x80) | channel, key, velocity)
    }
  }

  /// - Parameter key: 0 to 127.
  @_noLocks @_noAllocation @inline(__always)
  func with(key: Int) -> NoteMessage {
    NoteMessage(isOn: isOn, place: place & ~127 | key & 127, velocity: velocity)
  }

  /// - Parameter channel: 0 to 15.
  @_noLocks @_noAllocation @inline(__always)
  func with(channel: Int) -> NoteMessage {
    NoteMessage(isOn: isOn, place: (channel & 15) << 7 | key, velocity: velocity)
  }

  /// - Parameter velocity: 1 to 127.
  @_noLocks @_noAllocation @inline(__always)
  func with(velocity: Int) -> NoteMessage {
    NoteMessage(isOn: isOn, place: place, velocity: velocity)
  }
}

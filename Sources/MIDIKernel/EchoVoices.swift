// The notes that an echo repeats.

import Realtime
import UnitRender

/// How notes are repeated.
struct EchoSettings: BitwiseCopyable {
  /// In beats.
  var delay = 0.5
  var repeats = 3
  /// The part of the velocity that each repeat has of the one before.
  var decay = 0.7
  /// Semitones from repeat to repeat.
  var step = 0

  /// - Thread: [control]
  init() {}
}

/// A note and what is still to be repeated of it, by the settings that were in force when it began.
struct EchoVoice: BitwiseCopyable {
  let channel: UInt8
  let key: UInt8
  let velocity: UInt8
  let settings: EchoSettings
  /// When the note began, in the beats that a `BeatLine` counts as elapsed.
  let begin: Double
  /// When it ended, negative while it is held.
  var end: Double
  /// How many repeats are to begin.
  var repeats: Int
  /// How many repeats have begun, and how many have ended.
  var begun: Int
  var ended: Int
  /// Bit n: repeat n + 1 sounds.
  var sounding: UInt16

  @_noLocks @_noAllocation
  init(_ note: ShortMessage, at begin: Double, _ settings: EchoSettings) {
    channel = UInt8(truncatingIfNeeded: note.channel)
    key = UInt8(truncatingIfNeeded: note.number)
    velocity = UInt8(truncatingIfNeeded: note.value)
    self.settings = settings
    self.begin = begin
    end = -1
    repeats = settings.repeats
    begun = 0
    ended = 0
    sounding = 0
  }

  var isHeld: Bool { @_noLocks @_noAllocation get { end < 0 } }
  var isDone: Bool {
    @_noLocks @_noAllocation get { begun >= repeats && !isHeld && ended >= begun }
  }

  /// Whether what comes next is the end of a repeat.
  var endsNext: Bool {
    @_noLocks @_noAllocation get {
      if isHeld || ended >= begun { return false }
      return begun >= repeats || dueEnd < dueBegin
    }
  }

  var dueBegin: Double {
    @_noLocks @_noAllocation get { begin + settings.delay * Double(begun + 1) }
  }
  var dueEnd: Double { @_noLocks @_noAllocation get { end + settings.delay * Double(ended + 1) } }

  /// When something is due next, in elapsed beats; infinite while nothing is.
  var due: Double {
    @_noLocks @_noAllocation get {
      if endsNext { return dueEnd }
      return begun < repeats ? dueBegin : .infinity
    }
  }

  /// The key of a repeat, counted from 1, also outside 0…127.
  @_noLocks @_noAllocation
  func key(ofRepeat number: Int) -> Int { Int(key) + settings.step * number }
}

/// Up to 256 voices, in the order of their beginnings.
///
/// The value is a handle: copies name the same voices.
struct EchoVoices: @unchecked Sendable, BitwiseCopyable {
  static var capacity: Int { @_noLocks @_noAllocation get { 256 } }

  let voices: UnsafeMutablePointer<EchoVoice>
  private let used: UnsafeMutablePointer<Int>

  /// - Thread: [control]
  static func allocate() -> EchoVoices { EchoVoices() }

  private init() {
    voices = .allocate(capacity: Self.capacity)
    voices.initialize(
      repeating: EchoVoice(ShortMessage(0x90, 0, 0), at: 0, EchoSettings()), count: Self.capacity)
    used = .allocate(capacity: 1)
    used.initialize(to: 0)
  }

  /// - Thread: [control], once nobody uses the voices any more.
  func deallocate() {
    voices.deallocate()
    used.deallocate()
  }

  var count: Int { @_noLocks @_noAllocation get { used.pointee } }

  /// Takes in a voice; false when there is no room.
  @_noLocks @_noAllocation
  func append(_ voice: EchoVoice) -> Bool {
    if count == Self.capacity { return false }
    voices[count] = voice
    used.pointee += 1
    return true
  }

  /// The newest held voice of a channel and key, −1 when there is none.
  @_noLocks @_noAllocation
  func held(channel: Int, key: Int) -> Int {
    var index = count - 1
    while index >= 0 {
      let voice = voices[index]
      if voice.isHeld && Int(voice.key) == key && Int(voice.channel) == channel { return index }
      index -= 1
    }
    return -1
  }

  /// The voice with what is due first, of several the oldest; −1 when nothing is due.
  @_noLocks @_noAllocation
  func first() -> Int {
    var first = -1
    var earliest = Double.infinity
    var index = 0
    while index < count {
      let due = voices[index].due
      if due < earliest {
        earliest = due
        first = index
      }
      index += 1
    }
    return first
  }

  /// Keeps the others in their order.
  @_noLocks @_noAllocation
  func remove(_ place: Int) {
    var index = place + 1
    while index < count {
      voices[index - 1] = voices[index]
      index += 1
    }
    used.pointee -= 1
  }

  @_noLocks @_noAllocation
  func forget(channel: Int) {
    var kept = 0
    var index = 0
    while index < count {
      if Int(voices[index].channel) != channel {
        voices[kept] = voices[index]
        kept += 1
      }
      index += 1
    }
    used.pointee = kept
  }

  @_noLocks @_noAllocation
  func forgetAll() { used.pointee = 0 }
}

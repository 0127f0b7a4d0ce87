// The stage that repeats notes in time.

import Realtime
import UnitRender

/// Repeats the notes of some channels, each repeat a note value after the one before.
///
/// - All messages pass unchanged. A repeat is as long as its note in beats. Its velocity is a part
///   of that of the one before; below 1 there is no repeat. Each may be some semitones from the one
///   before; keys outside 0…127 are left out.
/// - On one frame repeats end before others begin: a note as long as the delay cuts none of them.
/// - A note is repeated with the settings on its frame; the tempo is the current one. Jumps of the
///   position do not change the distance.
/// - A message that ends all notes of a channel ends its repeats too.
/// - Up to 256 notes can wait for repeats; one more passes without, and is counted as dropped.
struct EchoStage {
  static var parameterCount: Int { @_noLocks @_noAllocation get { EchoParameter.count } }
  static var isTimed: Bool { @_noLocks @_noAllocation get { true } }

  /// The channels whose notes are repeated; bit n is channel n + 1.
  private var channels: UInt16 = .max
  private var settings = EchoSettings()
  private let voices: EchoVoices
  private var lines: BeatSegments?
  private var cursor = BeatCursor()
  /// Whether a note-off found no room in this call's list.
  private var isFull = false

  /// - Thread: [control]
  init(_ setup: MIDIStageSetup) { voices = .allocate() }

  func deallocate() { voices.deallocate() }

  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Float) {
    switch EchoParameter(rawValue: index) {
    case .delay:
      settings.delay = NoteValue.beats(
        wholeNumber(value, from: 0, through: NoteValue.count - 1))
    case .repeats: settings.repeats = wholeNumber(value, from: 0, through: 16)
    case .velocity: settings.decay = number(value, from: 0, through: 100) / 100
    case .semitones: settings.step = wholeNumber(value, from: -24, through: 24)
    case .channels, nil: channels.setSwitch(index, to: value)
    }
  }

  /// Forgets the notes to repeat.
  @_noLocks @_noAllocation
  mutating func reset() { voices.forgetAll() }

  @_noLocks @_noAllocation
  mutating func begin(_ call: MIDIChainCall, _ lines: BeatSegments) {
    _ = cursor.begin(at: call.start)
    self.lines = lines
    isFull = false
  }

  /// Takes in a message, which passes.
  @_noLocks @_noAllocation
  mutating func process(
    _ message: ShortMessage, _ kind: MessageKind, of event: UnsafeMutablePointer<RenderEvent>,
    in list: RenderEventList
  ) -> ShortMessage {
    switch kind {
    case .noteOn: noteOn(message, event.pointee.identity, in: list)
    case .noteOff: voices.release(message.noteIndex, event.pointee.identity, at: elapsed)
    case .controller, .systemReset: passedAround(message, kind)
    case .keyPressure, .plainController, .programChange, .channelPressure, .pitchBend,
      .systemExclusive, .system,
      .other:
      break
    }
    return message
  }

  @_noLocks @_noAllocation
  mutating func fit(_ note: Int, _ identity: NoteIdentity) -> Int {
    voices.find(note, identity).fit
  }

  @_noLocks @_noAllocation
  mutating func passedAround(_ message: ShortMessage, _ kind: MessageKind) {
    if case .systemReset = kind { return reset() }
    if !message.endsNotes(kind) { return }
    voices.forget(channel: message.channel)
  }

  /// The beats elapsed at the current frame.
  private var elapsed: Double {
    @_noLocks @_noAllocation mutating get {
      guard let lines else { return 0 }
      return cursor.line(of: lines).elapsed(at: cursor.now)
    }
  }

  @_noLocks @_noAllocation
  private mutating func noteOn(
    _ message: ShortMessage, _ identity: NoteIdentity, in list: RenderEventList
  ) {
    if !channels.has(bit: message.channel) || settings.repeats == 0 { return }
    if !voices.append(EchoVoice(message, identity, at: elapsed, settings)) {
      list.header.pointee.droppedCount &+= 1
    }
  }

  /// Plays the events due before `end`, after the event `previous`.
  /// - Returns: the last inserted event; `previous` for none.
  @_noLocks @_noAllocation
  mutating func advance(
    after previous: UnsafeMutablePointer<RenderEvent>?, to end: FrameTime, in list: RenderEventList
  ) -> UnsafeMutablePointer<RenderEvent>? {
    guard let lines else { return previous }
    var last = previous
    while cursor.now < end {
      let line = cursor.line(of: lines)
      let endOfLine = cursor.endOfLine(of: lines, before: end)
      while !isFull {
        let ending = voices.firstToEnd
        let beginning = voices.firstToBegin
        let end = ending < 0 ? .max : line.frame(ofElapsed: voices.dueEnd(ending))
        let begin = beginning < 0 ? .max : line.frame(ofElapsed: voices.dueBegin(beginning))
        if end >= endOfLine && begin >= endOfLine { break }
        cursor.advance(to: end <= begin ? end : begin)
        last =
          end <= begin
          ? endRepeat(ending, after: last, in: list) : beginRepeat(beginning, after: last, in: list)
      }
      cursor.advance(to: endOfLine)
    }
    return last
  }

  @_noLocks @_noAllocation
  private mutating func endRepeat(
    _ slot: Int, after previous: UnsafeMutablePointer<RenderEvent>?, in list: RenderEventList
  ) -> UnsafeMutablePointer<RenderEvent>? {
    var voice = voices.voice(slot)
    let isSounding = voice.sounding.has(bit: voice.ended)
    if isSounding && list.room < 1 {
      // The note-off waits for the next call's list.
      isFull = true
      return previous
    }
    voice.ended &+= 1
    voices.set(slot, to: voice)
    if !isSounding { return previous }
    let key = UInt8(truncatingIfNeeded: voice.key(ofRepeat: voice.ended))
    return list.insert(.midi(0x80 | voice.channel, key, 64, at: cursor.now), after: previous)
  }

  @_noLocks @_noAllocation
  private mutating func beginRepeat(
    _ slot: Int, after previous: UnsafeMutablePointer<RenderEvent>?, in list: RenderEventList
  ) -> UnsafeMutablePointer<RenderEvent>? {
    var voice = voices.voice(slot)
    let last = begin(&voice, after: previous, in: list)
    voices.set(slot, to: voice)
    return last
  }

  /// Begins a voice's next repeat, if it can be heard.
  @_noLocks @_noAllocation
  private func begin(
    _ voice: inout EchoVoice, after previous: UnsafeMutablePointer<RenderEvent>?,
    in list: RenderEventList
  ) -> UnsafeMutablePointer<RenderEvent>? {
    voice.begun &+= 1
    var velocity = Double(voice.velocity)
    var number = 0
    while number < voice.begun {
      velocity *= voice.settings.decay
      number &+= 1
    }
    if rounded(velocity) < 1 {
      voice.begun &-= 1
      voice.repeats = voice.begun
      return previous
    }
    let key = voice.key(ofRepeat: voice.begun)
    if key < 0 || key > 127 { return previous }
    // A note without room is counted, and has no end.
    let added = list.insert(
      .midi(
        0x90 | voice.channel, UInt8(truncatingIfNeeded: key),
        UInt8(truncatingIfNeeded: rounded(velocity)), at: cursor.now),
      after: previous)
    if added == nil { return previous }
    voice.sounding = voice.sounding.with(bit: voice.begun - 1, true)
    return added
  }
}

/// The stage's parameters. Raw values are parts of their addresses and never change.
package enum EchoParameter: Int {
  /// The first of 16 switches, one per channel.
  case channels = 0
  case delay = 16
  case repeats, velocity, semitones

  static var count: Int { @_noLocks @_noAllocation get { semitones.rawValue &+ 1 } }
}

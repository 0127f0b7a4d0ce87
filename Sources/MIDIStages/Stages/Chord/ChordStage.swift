// The stage that names held chords, and plays chords from single keys.

import Realtime
import UnitRender

/// Names the chord of the notes that leave it on some channels; on request, plays a chord for each
/// key.
///
/// - It finds the root, the quality with its extensions, the inversion and the bass, the lowest
///   note. See `ChordMatch` for the preference among chords with the same notes.
/// - The root of a played chord is the key that is struck. An inversion moves its lowest notes up
///   an octave. An open chord moves every second note up an octave, a wide one all but the lowest.
///   The added notes have a part of the key's velocity. Notes above key 127 are left out.
/// - A note-off ends all notes of its note-on, and the pressure of a key goes to all of them,
///   whatever the settings are by then. A message that ends the notes of a channel passes, and the
///   notes held there are forgotten.
///
/// If a list of events has no room, a chord has fewer notes; note-offs without room follow in a
/// later call.
struct ChordStage {
  static var parameterCount: Int { @_noLocks @_noAllocation get { ChordParameter.count } }
  static var kinds: UInt16 { @_noLocks @_noAllocation get { MessageKind.ofNotes } }

  /// The channels with named notes and with keys that play chords; bit n is channel n + 1.
  private var channels: UInt16 = .max
  /// The index of the quality that a key plays; −1 for none.
  private var played = -1
  private var inversion = 0
  private var spread = 0
  /// The velocity of added notes, as a part of the key's.
  private var velocity = 1.0
  private let tables: ChordTables
  /// Held notes; the tag of each is its chord.
  private let held: HeldNotes
  private var sounding = ChordNotes()
  private let pendingReleases: UnsafeMutablePointer<PendingReleases>

  /// - Thread: [control]
  init(_ setup: MIDIStageSetup) {
    held = .allocate()
    tables = .shared
    pendingReleases = setup.pendingReleases
  }

  func deallocate() {
    held.deallocate()
    sounding.deallocate()
  }

  @_noLocks @_noAllocation
  mutating func copies(ofNote isNote: Bool) -> Int { isNote && played >= 0 ? 4 : 1 }

  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Float) {
    switch ChordParameter(rawValue: index) {
    case .play: played = wholeNumber(value, from: 0, through: 63) - 1
    case .inversion: inversion = wholeNumber(value, from: 0, through: 6)
    case .spread: spread = wholeNumber(value, from: 0, through: 2)
    case .velocity: velocity = number(value, from: 0, through: 200) / 100
    case .channels, nil:
      channels.setSwitch(index, to: value)
      if index < 16 { sounding.set(channel: index, isOn: value >= 0.5) }
    case .root, .quality, .bass, .position, .spelling: break
    }
  }

  var heldNotes: HeldNotes? { @_noLocks @_noAllocation get { held } }

  @_noLocks @_noAllocation
  mutating func reset() {
    held.forgetAll()
    sounding.forgetAll()
    pendingReleases.pointee.forgetAll()
  }

  /// Publishes the chord that was found, if it may have changed.
  /// - Parameter first: the index of the stage's first parameter among the values.
  @_noLocks @_noAllocation
  mutating func publish(to values: ParameterValues, from first: Int) {
    if !sounding.isChanged { return }
    sounding.isChanged = false
    let (bass, notes) = sounding.chord()
    let match = bass < 0 ? 0 : tables.match(notes)
    let isNamed = match != 0
    values[first + ChordParameter.root.rawValue] =
      isNamed ? Float((bass + (match >> 4 & 15)) % 12 + 1) : 0
    values[first + ChordParameter.quality.rawValue] = Float(match >> 8)
    values[first + ChordParameter.bass.rawValue] = isNamed ? Float(bass % 12 + 1) : 0
    values[first + ChordParameter.position.rawValue] = Float(match & 15)
  }

  @_noLocks @_noAllocation
  mutating func process(
    _ message: ShortMessage, _ kind: MessageKind, of event: UnsafeMutablePointer<RenderEvent>,
    in list: RenderEventList
  ) -> ShortMessage {
    switch kind {
    case .noteOn:
      if played >= 0 && channels.has(bit: message.channel) {
        return play(message, of: event, in: list)
      }
      if !held.press(message.noteIndex, event.pointee.identity, tag: Chord.tagOfNote) {
        held.pressSilently(message.noteIndex)
        return .none
      }
      sounding.add(message.noteIndex)
    case .noteOff:
      let tag = held.release(message.noteIndex, by: event)
      if tag < 0 { return .none }
      return end(Chord(tag: tag), message.with(key: message.number), of: event, in: list)
    case .keyPressure:
      let tag = held.tag(message.noteIndex, event.pointee.identity)
      if tag == -1 { return .none }
      if tag >= 0 { return press(Chord(tag: tag), message, of: event, in: list) }
    case .controller:
      if ControllerNumber.endsNotes(message.number) {
        held.forget(channel: message.channel)
        sounding.forget(channel: message.channel)
        pendingReleases.pointee.forgetNotes(of: message.channel)
      }
    case .systemReset: reset()
    case .plainController, .systemExclusive, .programChange,
      .channelPressure, .pitchBend, .system, .other:
      break
    }
    return message
  }

  /// Plays the chord of a key.
  @_noLocks @_noAllocation @inline(never)
  private mutating func play(
    _ message: ShortMessage, of event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList
  ) -> ShortMessage {
    var chord = Chord(
      quality: played, inversion: inversion, spread: spread, noteCount: tables.noteCount(played))
    let first = chord.key(0, on: message.number, tables)
    if chord.noteCount - 1 > list.room {
      chord.noteCount = list.room + 1
      list.header.pointee.droppedCount &+= 1
    }
    if first > 127 || !held.press(message.noteIndex, event.pointee.identity, tag: chord.tag) {
      held.pressSilently(message.noteIndex)
      return .none
    }
    sounding.add(HeldNotes.index(message.channel, first))
    var last = event
    var note = 1
    while note < chord.noteCount {
      let key = chord.key(note, on: message.number, tables)
      if key <= 127 {
        var added = event.pointee
        let level = rounded(Double(message.value) * velocity)
        added.message = message.with(number: key)
          .with(value: level < 1 ? 1 : level > 127 ? 127 : level)
        if let new = list.insert(added, after: last) { last = new }
        sounding.add(HeldNotes.index(message.channel, key))
      }
      note &+= 1
    }
    return message.with(number: first)
  }

  /// Ends the notes of a chord; `message` is the note-off of its key.
  @_noLocks @_noAllocation @inline(never)
  private mutating func end(
    _ chord: Chord, _ message: ShortMessage, of event: UnsafeMutablePointer<RenderEvent>,
    in list: RenderEventList
  ) -> ShortMessage {
    var first = message
    var last = event
    var note = 0
    while note < chord.noteCount {
      let key = chord.key(note, on: message.number, tables)
      if key <= 127 {
        sounding.remove(HeldNotes.index(message.channel, key))
        if note == 0 {
          first = message.with(number: key)
        } else {
          var added = event.pointee
          added.message = message.with(number: key)
          if list.room == 0 {
            pendingReleases.pointee.add(
              note: HeldNotes.index(message.channel, key), event.pointee.identity)
          } else if let new = list.insert(added, after: last) {
            last = new
          }
        }
      }
      note &+= 1
    }
    return first
  }

  /// Sends the pressure of a key to all notes of its chord, until the list is full.
  @_noLocks @_noAllocation
  private func press(
    _ chord: Chord, _ message: ShortMessage, of event: UnsafeMutablePointer<RenderEvent>,
    in list: RenderEventList
  ) -> ShortMessage {
    var last = event
    var note = 1
    while note < chord.noteCount {
      let key = chord.key(note, on: message.number, tables)
      if key <= 127 {
        var added = event.pointee
        added.message = message.with(number: key)
        if let new = list.insert(added, after: last) { last = new }
      }
      note &+= 1
    }
    return message.with(number: chord.key(0, on: message.number, tables))
  }
}

/// The chord that a key plays, packed into a tag of `HeldNotes`.
private struct Chord: BitwiseCopyable {
  /// The index of the quality; −1 for only the key.
  private var quality = -1
  private var inversion = 0
  private var spread = 0
  var noteCount = 1

  /// The tag of a key that plays no chord.
  static var tagOfNote: Int { @_noLocks @_noAllocation get { 1 << 11 } }

  @_noLocks @_noAllocation
  init(quality: Int, inversion: Int, spread: Int, noteCount: Int) {
    self.quality = quality
    self.inversion = inversion < noteCount ? inversion : noteCount - 1
    self.spread = spread
    self.noteCount = noteCount
  }

  @_noLocks @_noAllocation
  init(tag: Int) {
    quality = (tag & 63) - 1
    inversion = tag >> 6 & 7
    spread = tag >> 9 & 3
    noteCount = tag >> 11 & 7
  }

  var tag: Int {
    @_noLocks @_noAllocation get {
      (quality + 1) | inversion << 6 | spread << 9 | noteCount << 11
    }
  }

  /// The key of a note, also above 127; note 0 is the lowest.
  @_noLocks @_noAllocation
  func key(_ note: Int, on root: Int, _ tables: ChordTables) -> Int {
    if quality < 0 { return root }
    let count = tables.noteCount(quality)
    let degree = (note + inversion) % count
    var key = root + tables.interval(quality, note: degree)
    if degree < inversion { key += 12 }
    switch spread {
    case 1: if note & 1 == 1 { key += 12 }
    case 2: if note > 0 { key += 12 }
    default: break
    }
    return key
  }
}

/// The stage's parameters. Raw values are parts of their addresses and never change.
package enum ChordParameter: Int {
  /// The first of 16 switches, one per channel.
  case channels = 0
  case play = 16
  case inversion, spread, velocity
  /// The chord that was found: values from 1 on, 0 for none; then its position.
  case root, quality, bass, position
  /// Used only for names.
  case spelling

  static var count: Int { @_noLocks @_noAllocation get { spelling.rawValue &+ 1 } }
}

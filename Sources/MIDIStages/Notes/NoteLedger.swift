// The held notes and pedals of a stream of events.

import Realtime
import UnitRender

/// Counts the held notes of each channel and key, and records the pedals that are down. A note is
/// held from its beginning to its end.
///
/// The value is a handle to the counts; the sums, the pedals and the sets of keys are its own.
struct NoteLedger: @unchecked Sendable, BitwiseCopyable {
  private let counts: UnsafeMutablePointer<UInt16>
  private var noteCount = 0
  /// The channels and keys that may have notes.
  private var marks = NoteSet()
  /// The channels and keys that are down. The first of several note-offs releases a key.
  private var down = NoteSet()
  var pedals = PedalSet()

  /// - Thread: [control]
  static func allocate() -> NoteLedger { NoteLedger() }

  private init() {
    counts = .allocate(capacity: HeldNotes.indexCount)
    counts.initialize(repeating: 0, count: HeldNotes.indexCount)
  }

  /// - Thread: [control], after the last use of the memory.
  func deallocate() { counts.deallocate() }

  var isEmpty: Bool { @_noLocks @_noAllocation get { noteCount == 0 && pedals.isEmpty } }

  /// The number of notes of a channel and key.
  @_noLocks @_noAllocation @inline(__always)
  func count(_ index: Int) -> Int { Int(counts[index & (HeldNotes.indexCount - 1)]) }

  /// Whether a channel has notes.
  @_noLocks @_noAllocation
  mutating func holdsNotes(_ channel: Int) -> Bool {
    if noteCount == 0 { return false }
    let words = NoteSet.words(ofChannel: channel)
    var index = marks.next(behind: -1, in: words)
    while index >= 0 {
      if counts[index] > 0 { return true }
      marks.remove(index)
      index = marks.next(behind: index, in: words)
    }
    return false
  }

  @_noLocks @_noAllocation @inline(__always)
  func isDown(_ index: Int) -> Bool { down.contains(index) }

  @_noLocks @_noAllocation @inline(__always)
  mutating func setDown(_ index: Int, _ isDown: Bool) {
    if isDown { down.insert(index) } else { down.remove(index) }
  }

  /// Takes in the note or pedal that an event begins or ends, and sets the identity of its note.
  @_noLocks @_noAllocation @inline(__always)
  mutating func takeMarking(_ event: UnsafeMutablePointer<RenderEvent>) {
    let message = ShortMessage(of: event)
    let kind = MessageKind.of(event)
    if kind.isOfKey {
      event.pointee.identity = identity(of: message, kind, isDown: isDown(message.noteIndex))
      if kind.isNoteOn || kind.isNoteOff { setDown(message.noteIndex, kind.isNoteOn) }
    }
    take(message, kind)
  }

  /// The identity of the note that a message of a key begins, ends or presses.
  /// - Parameter isDown: whether the key is down before the message.
  @_noLocks @_noAllocation @inline(__always)
  func identity(of message: ShortMessage, _ kind: MessageKind, isDown: Bool) -> NoteIdentity {
    let count = count(message.noteIndex)
    return NoteIdentity(
      index: message.noteIndex, number: kind.isNoteOn ? count &+ 1 : count,
      isAgain: isDown == kind.isNoteOn)
  }

  /// Takes in the notes and pedals that a message of a kind begins or ends.
  @_noLocks @_noAllocation @inline(__always)
  mutating func take(_ message: ShortMessage, _ kind: MessageKind) {
    switch kind {
    case .noteOn: add(message.noteIndex)
    case .noteOff: _ = remove(message.noteIndex)
    case .controller, .systemReset: takeRare(message, kind)
    default: break
    }
  }

  @_noLocks @_noAllocation @inline(never)
  private mutating func takeRare(_ message: ShortMessage, _ kind: MessageKind) {
    guard case .controller = kind else { return forgetAll() }
    pedals.take(message)
    if ControllerNumber.endsNotes(message.number) { forgetNotes(message.channel) }
  }

  /// Takes in the ends of notes and pedals by a message of another stream to the same receiver. A
  /// pedal belongs to the stream that moved it last.
  @_noLocks @_noAllocation
  mutating func applyReleases(of message: ShortMessage, _ kind: MessageKind) {
    switch kind {
    case .controller:
      let pedal = message.pedal
      if pedal != 0 {
        pedals[message.channel] &= ~pedal
      } else {
        takeRare(message, kind)
      }
    case .systemReset: forgetAll()
    default: break
    }
  }

  /// Moves the notes and pedals that a message would end to another ledger, if it found no room.
  @_noLocks @_noAllocation
  mutating func moveEnds(
    of message: ShortMessage, _ kind: MessageKind, to other: inout NoteLedger
  ) {
    let channel = message.channel
    switch kind {
    case .noteOff: if remove(message.noteIndex) { other.add(message.noteIndex) }
    case .controller:
      if message.pedal != 0 && message.value < 64 {
        movePedals(channel, message.pedal, to: &other)
      } else if message.number == ControllerNumber.resetAllControllers {
        movePedals(channel, .max, to: &other)
      } else if message.endsNotes(kind) {
        move(words: NoteSet.words(ofChannel: channel), to: &other)
      }
    case .systemReset: moveAll(to: &other)
    default: break
    }
  }

  /// - Complexity: O(keys that had notes since the last time)
  @_noLocks @_noAllocation
  mutating func moveAll(to other: inout NoteLedger) {
    move(words: NoteSet.all, to: &other)
    while !pedals.isEmpty {
      movePedals(pedals.channels.trailingZeroBitCount, .max, to: &other)
    }
  }

  /// - Complexity: O(keys that had notes since the last time)
  @_noLocks @_noAllocation
  mutating func forgetAll() {
    forget(words: NoteSet.all)
    pedals.removeAll()
  }

  /// Ends notes and pedals until the list is full.
  /// - Parameters:
  ///   - outlet: decides which of the note-offs are sent.
  ///   - others: the other ledgers with notes of the receiver.
  /// - Returns: the last inserted event; `event` for none.
  /// - Complexity: O(keys that had notes since the last time + notes)
  @_noLocks @_noAllocation
  mutating func release(
    into list: RenderEventList, after event: UnsafeMutablePointer<RenderEvent>?,
    at frame: FrameTime, through outlet: NoteOutlet, others: (NoteLedger, NoteLedger)
  ) -> UnsafeMutablePointer<RenderEvent>? {
    var last = event
    var channel = 0
    while channel < 16 {
      let status = UInt8(truncatingIfNeeded: channel)
      let words = NoteSet.words(ofChannel: channel)
      var index = marks.takeFirst(in: words)
      while index >= 0 {
        while counts[index] > 0 {
          if list.room == 0 {
            marks.insert(index)
            return last
          }
          let claims = count(index) + others.0.count(index) + others.1.count(index)
          if outlet.release(index, claims: claims, isAgain: false) {
            let key = UInt8(truncatingIfNeeded: index & 127)
            last = list.insert(.midi(0x80 | status, key, 64, at: frame), after: last) ?? last
          }
          _ = remove(index)
        }
        index = marks.takeFirst(in: words)
      }
      while pedals[channel] != 0 {
        let number = 64 + UInt8(truncatingIfNeeded: pedals[channel].trailingZeroBitCount)
        let up = RenderEvent.midi(0xB0 | status, number, 0, at: frame)
        guard let added = list.insertIfRoom(up, after: last) else { return last }
        last = added
        pedals[channel] &= pedals[channel] - 1
      }
      channel &+= 1
    }
    return last
  }

  // MARK: The counts

  /// The keys that have notes on any of some channels: 0 to 63, and 64 to 127, as bits.
  /// - Complexity: O(keys that had notes since the last time)
  @_noLocks @_noAllocation
  mutating func keys(of channels: UInt16) -> (low: UInt64, high: UInt64) {
    var (low, high): (UInt64, UInt64) = (0, 0)
    var index = marks.next(behind: -1, in: NoteSet.all)
    while index >= 0 {
      let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: index & 63)
      if counts[index] == 0 {
        marks.remove(index)
      } else if channels.has(bit: index >> 7) {
        if index & 64 == 0 { low |= bit } else { high |= bit }
      }
      index = marks.next(behind: index, in: NoteSet.all)
    }
    return (low, high)
  }

  /// Counts a note of a channel and key; 65535 at most.
  @_noLocks @_noAllocation
  mutating func add(_ index: Int) {
    let index = index & (HeldNotes.indexCount - 1)
    if counts[index] == .max { return }
    counts[index] &+= 1
    noteCount &+= 1
    marks.insert(index)
  }

  /// Removes a note; false if there is none.
  @_noLocks @_noAllocation
  mutating func remove(_ index: Int) -> Bool {
    let index = index & (HeldNotes.indexCount - 1)
    if counts[index] == 0 { return false }
    counts[index] &-= 1
    noteCount &-= 1
    return true
  }

  /// Forgets the notes of a channel, which another message has ended.
  @_noLocks @_noAllocation
  mutating func forgetNotes(_ channel: Int) { forget(words: NoteSet.words(ofChannel: channel)) }

  @_noLocks @_noAllocation
  private mutating func forget(words: UInt32) {
    if down.hasAny(in: words) { down.removeAll(in: words) }
    if noteCount == 0 { return }
    var index = marks.takeFirst(in: words)
    while index >= 0 {
      noteCount -= Int(counts[index])
      counts[index] = 0
      index = marks.takeFirst(in: words)
    }
  }

  @_noLocks @_noAllocation
  private mutating func move(words: UInt32, to other: inout NoteLedger) {
    var index = marks.takeFirst(in: words)
    while index >= 0 {
      while remove(index) { other.add(index) }
      index = marks.takeFirst(in: words)
    }
    down.removeAll(in: words)
  }

  @_noLocks @_noAllocation
  private mutating func movePedals(_ channel: Int, _ bits: UInt8, to other: inout NoteLedger) {
    other.pedals[channel] |= pedals[channel] & bits
    pedals[channel] &= ~bits
  }
}

extension RenderEventList {
  /// Inserts an event that can wait: one without room is not counted as dropped.
  @_noLocks @_noAllocation
  fileprivate func insertIfRoom(
    _ event: RenderEvent, after previous: UnsafeMutablePointer<RenderEvent>?
  ) -> UnsafeMutablePointer<RenderEvent>? {
    room > 0 ? insert(event, after: previous) : nil
  }
}

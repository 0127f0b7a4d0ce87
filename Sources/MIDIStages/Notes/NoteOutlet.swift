// The delivery of notes with several holders to their receiver.

import UnitRender

/// Counts the notes sent to a receiver by channel and key, so that a note sounds until its last
/// holder ends. Holders are keys that stages map to one, a note and its repeats, and notes around a
/// stage.
///
/// - If other holders have a note, a further note-on is sent after the note-off of the sounding
///   one. Then only the last holder's note-off is sent. Each note-on that is sent has its note-off.
/// - All presses of one key are one holder, which the first release ends. So a source that omits
///   note-offs leaves nothing sounding. A note that only one key holds passes unchanged.
///
/// The value is a handle: copies name the same memory.
struct NoteOutlet: @unchecked Sendable, BitwiseCopyable {
  private struct State: BitwiseCopyable {
    /// The number of holders of the note.
    var holders: UInt16 = 0
    /// The number of note-ons sent without a note-off yet.
    var open: UInt16 = 0

    @_noLocks @_noAllocation
    init(holders: UInt16, open: UInt16) {
      self.holders = holders
      self.open = open
    }
  }

  private let states: UnsafeMutablePointer<State>

  /// - Thread: [control]
  static func allocate() -> NoteOutlet { NoteOutlet() }

  private init() {
    states = .allocate(capacity: HeldNotes.indexCount)
    states.initialize(repeating: State(holders: 0, open: 0), count: HeldNotes.indexCount)
  }

  /// - Thread: [control], after the last use of the memory.
  func deallocate() { states.deallocate() }

  /// Takes in a note-on if nothing holds its note. - Returns: false if something does: then nothing
  /// is taken in.
  @_noLocks @_noAllocation @inline(__always)
  func strikeAlone(_ index: Int, claims: Int) -> Bool {
    if claims != 0 { return false }
    states[index] = State(holders: 1, open: 1)
    return true
  }

  /// Whether a note-off ends the only note-on of its note, and is to be sent.
  @_noLocks @_noAllocation @inline(__always)
  func endsAlone(_ index: Int, claims: Int) -> Bool { claims == 1 && states[index].open == 1 }

  /// Takes in a note-on. - Returns: the number of note-offs to send before it.
  /// - Parameters:
  ///   - claims: the number of note-ons that wait for their end, without this one.
  ///   - isAgain: whether its key was already down.
  @_noLocks @_noAllocation
  func strike(_ index: Int, claims: Int, isAgain: Bool) -> Int {
    if strikeAlone(index, claims: claims) { return 0 }
    let state = states[index]
    let others = isAgain && state.holders > 0 ? state.holders - 1 : state.holders
    if !isAgain && state.holders < .max { states[index].holders &+= 1 }
    if others > 0 {
      states[index].open = 1
      return Int(state.open)
    }
    if state.open < .max { states[index].open &+= 1 }
    return 0
  }

  /// Takes back a note-on that was not sent because there was no room.
  @_noLocks @_noAllocation
  func giveUp(_ index: Int, open: Int) { states[index].open = UInt16(truncatingIfNeeded: open) }

  /// Takes in a note-off. - Returns: whether it is to be sent.
  /// - Parameters:
  ///   - claims: the number of note-ons that wait for their end, with the one that this ends.
  ///   - isAgain: whether its key was already up.
  @_noLocks @_noAllocation
  func release(_ index: Int, claims: Int, isAgain: Bool) -> Bool {
    // A note-off that ends nothing is sent on.
    if claims == 0 { return true }
    var holders = Int(states[index].holders)
    if !isAgain && holders > 0 { holders &-= 1 }
    if holders > claims - 1 { holders = claims - 1 }
    states[index].holders = UInt16(truncatingIfNeeded: holders)
    // No more note-ons may stay open than there are note-offs to come.
    let mustEnd = Int(states[index].open) > claims - 1
    if (holders > 0 && !mustEnd) || states[index].open == 0 { return false }
    states[index].open &-= 1
    return true
  }

  /// Sends a note: inserts note-offs before a note-on, or removes an event that is not to be sent.
  /// A note-on without room for the note-offs before it is not sent; the note continues to sound.
  /// - Parameters:
  ///   - event: a note-on or note-off.
  ///   - claims: the number of note-ons that wait for their end before it.
  /// - Returns: the last event that is left of it, `previous` for none.
  /// - Complexity: O(note-ons of the key without an end)
  @_noLocks @_noAllocation @inline(never)
  func send(
    _ event: UnsafeMutablePointer<RenderEvent>, isOn: Bool, claims: Int,
    behind previous: UnsafeMutablePointer<RenderEvent>?, in list: RenderEventList
  ) -> UnsafeMutablePointer<RenderEvent>? {
    let message = ShortMessage(of: event)
    let index = message.noteIndex
    let isAgain = event.pointee.identity.isAgain
    if !isOn {
      if release(index, claims: claims, isAgain: isAgain) { return event }
      list.remove(event, after: previous)
      return previous
    }
    var ends = strike(index, claims: claims, isAgain: isAgain)
    if ends > list.room {
      giveUp(index, open: ends)
      list.header.pointee.droppedCount &+= 1
      list.remove(event, after: previous)
      return previous
    }
    var last = previous
    while ends > 0 {
      last = list.insert(event.pointee.asNoteOff, after: last) ?? last
      ends &-= 1
    }
    return event
  }
}

/// The ledger and the outlet of a receiver: the notes that sound, and those sent.
struct NoteSink: BitwiseCopyable {
  let ledger: UnsafeMutablePointer<NoteLedger>
  let outlet: NoteOutlet

  @_noLocks @_noAllocation
  init(ledger: UnsafeMutablePointer<NoteLedger>, outlet: NoteOutlet) {
    self.ledger = ledger
    self.outlet = outlet
  }

  /// Takes in an event on its way to the receiver.
  /// - Returns: the last event that is left of it, `previous` for none.
  @_noLocks @_noAllocation @inline(__always)
  func send(
    _ event: UnsafeMutablePointer<RenderEvent>,
    behind previous: UnsafeMutablePointer<RenderEvent>?, in list: RenderEventList
  ) -> UnsafeMutablePointer<RenderEvent>? {
    let message = ShortMessage(of: event)
    let kind = MessageKind.of(event)
    if !kind.isNoteOn && !kind.isNoteOff {
      ledger.pointee.take(message, kind)
      return event
    }
    let index = message.noteIndex
    let claims = ledger.pointee.count(index)
    ledger.pointee.take(message, kind)
    let isPlain =
      kind.isNoteOn
      ? outlet.strikeAlone(index, claims: claims) : outlet.endsAlone(index, claims: claims)
    if _fastPath(isPlain) { return event }
    return outlet.send(event, isOn: kind.isNoteOn, claims: claims, behind: previous, in: list)
  }

  /// Takes in the events after one and through another.
  /// - Parameter last: the last of them, `event` for none.
  /// - Returns: the last event that is sent on; `event` for none.
  @_noLocks @_noAllocation @inline(never)
  func send(
    _ list: RenderEventList, behind event: UnsafeMutablePointer<RenderEvent>?,
    through last: UnsafeMutablePointer<RenderEvent>?
  ) -> UnsafeMutablePointer<RenderEvent>? {
    var sent = event
    if last == event { return sent }
    while let next = list.next(behind: sent) {
      sent = send(next, behind: sent, in: list)
      if next == last { break }
    }
    return sent
  }
}

extension RenderEvent {
  /// The note-off of a note.
  var asNoteOff: RenderEvent {
    @_noLocks @_noAllocation get {
      var off = self
      off.message = ShortMessage(0x80 | message.channel, message.number, 64)
      return off
    }
  }
}

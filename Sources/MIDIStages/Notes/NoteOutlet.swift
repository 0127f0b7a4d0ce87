// How a note that several hold reaches its receiver.

import UnitRender

/// What a receiver has been sent of each channel and key, so that a note sounds until the last that
/// holds it ends: keys that stages make one, a note and its repeats, what passes around a stage.
///
/// - Where others hold a note, one that begins it anew is sent behind the note-off of what sounds,
///   and ends are sent for the last of them alone. Each note-on that is sent has its note-off.
/// - The presses of one key hold a note once: its first release ends that, so that a source which
///   leaves note-offs out leaves nothing sounding. What only one key holds passes as it comes.
///
/// The value is a handle: copies name the same memory.
struct NoteOutlet: @unchecked Sendable, BitwiseCopyable {
  private struct State: BitwiseCopyable {
    /// How many hold the note.
    var holders: UInt16 = 0
    /// How many note-ons were sent that have no note-off yet.
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
    states = .allocate(capacity: HeldNotes.places)
    states.initialize(repeating: State(holders: 0, open: 0), count: HeldNotes.places)
  }

  /// - Thread: [control], once nobody uses the memory any more.
  func deallocate() { states.deallocate() }

  /// Takes in a note that nothing holds. - Returns: false where something does: then nothing is
  /// taken in.
  @_noLocks @_noAllocation @inline(__always)
  func strikeAlone(_ place: Int, claims: Int) -> Bool {
    if claims != 0 { return false }
    states[place] = State(holders: 1, open: 1)
    return true
  }

  /// Whether a note-off is that of the one note that there is, and to be sent.
  @_noLocks @_noAllocation @inline(__always)
  func endsAlone(_ place: Int, claims: Int) -> Bool { claims == 1 && states[place].open == 1 }

  /// Takes in a note-on. - Returns: how many note-offs go before it.
  /// - Parameters:
  ///   - claims: how many note-ons wait for their end without it.
  ///   - isAgain: whether its key was down already.
  @_noLocks @_noAllocation
  func strike(_ place: Int, claims: Int, isAgain: Bool) -> Int {
    if strikeAlone(place, claims: claims) { return 0 }
    let state = states[place]
    let others = isAgain && state.holders > 0 ? state.holders - 1 : state.holders
    if !isAgain && state.holders < .max { states[place].holders &+= 1 }
    if others > 0 {
      states[place].open = 1
      return Int(state.open)
    }
    if state.open < .max { states[place].open &+= 1 }
    return 0
  }

  /// Takes back that a note-on was sent, for which there was no room.
  @_noLocks @_noAllocation
  func giveUp(_ place: Int, open: Int) { states[place].open = UInt16(truncatingIfNeeded: open) }

  /// Takes in a note-off. - Returns: whether it is to be sent.
  /// - Parameters:
  ///   - claims: how many note-ons wait for their end, that of this one included.
  ///   - isAgain: whether its key was up already.
  @_noLocks @_noAllocation
  func release(_ place: Int, claims: Int, isAgain: Bool) -> Bool {
    // One that ends nothing is nobody's business.
    if claims == 0 { return true }
    var holders = Int(states[place].holders)
    if !isAgain && holders > 0 { holders &-= 1 }
    if holders > claims - 1 { holders = claims - 1 }
    states[place].holders = UInt16(truncatingIfNeeded: holders)
    // No more is left without a note-off than there are to come.
    let isOwed = Int(states[place].open) > claims - 1
    if (holders > 0 && !isOwed) || states[place].open == 0 { return false }
    states[place].open &-= 1
    return true
  }

  /// Puts a note on its way: note-offs before a note-on, or takes out what is not to be sent. A
  /// note-on that finds no room for the note-offs before it is not sent: the note sounds on.
  /// - Parameters:
  ///   - event: a note-on or note-off.
  ///   - claims: how many note-ons wait for their end before it.
  /// - Returns: the last event that is left of it, `previous` for none.
  /// - Complexity: O(note-ons of the key without an end)
  @_noLocks @_noAllocation @inline(never)
  func send(
    _ event: UnsafeMutablePointer<RenderEvent>, isOn: Bool, claims: Int,
    behind previous: UnsafeMutablePointer<RenderEvent>?, in list: RenderEventList
  ) -> UnsafeMutablePointer<RenderEvent>? {
    let message = ShortMessage(of: event)
    let place = message.place
    let isAgain = event.pointee.identity.isAgain
    if !isOn {
      if release(place, claims: claims, isAgain: isAgain) { return event }
      list.remove(event, after: previous)
      return previous
    }
    var ends = strike(place, claims: claims, isAgain: isAgain)
    if ends > list.room {
      giveUp(place, open: ends)
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

/// What goes to a receiver: the notes that sound, and what has been sent of them.
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
    let place = message.place
    let claims = ledger.pointee.count(place)
    ledger.pointee.take(message, kind)
    let isPlain =
      kind.isNoteOn
      ? outlet.strikeAlone(place, claims: claims) : outlet.endsAlone(place, claims: claims)
    if _fastPath(isPlain) { return event }
    return outlet.send(event, isOn: kind.isNoteOn, claims: claims, behind: previous, in: list)
  }

  /// Takes in the events behind one and through another.
  /// - Parameter last: the last of them, `event` for none.
  /// - Returns: the last that goes on, `event` for none.
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

// The notes that an echo repeats.

import Realtime
import UnitRender

/// The settings of an echo.
struct EchoSettings: BitwiseCopyable {
  /// The delay in beats.
  var delay = 0.5
  var repeats = 3
  /// The velocity of each repeat as a part of that of the one before.
  var decay = 0.7
  /// The semitones from repeat to repeat.
  var step = 0

  /// - Thread: [control]
  init() {}
}

/// A note and its repeats to come, with the settings when it began.
struct EchoVoice: BitwiseCopyable {
  let channel: UInt8
  let key: UInt8
  let velocity: UInt8
  let identity: NoteIdentity
  let settings: EchoSettings
  /// The time when the note began, in the elapsed beats of a `BeatSegment`.
  let begin: Double
  /// The time when it ended; negative while it is held.
  var end: Double
  /// The number of repeats that the note gets.
  var repeats: Int
  /// The number of repeats begun, and of repeats ended.
  var begun: Int
  var ended: Int
  /// The sounding repeats; bit n is repeat n + 1.
  var sounding: UInt16

  @_noLocks @_noAllocation
  init(
    _ note: ShortMessage, _ identity: NoteIdentity, at begin: Double, _ settings: EchoSettings
  ) {
    channel = UInt8(truncatingIfNeeded: note.channel)
    key = UInt8(truncatingIfNeeded: note.number)
    velocity = UInt8(truncatingIfNeeded: note.value)
    self.identity = identity
    self.settings = settings
    self.begin = begin
    end = -1
    repeats = settings.repeats
    begun = 0
    ended = 0
    sounding = 0
  }

  var noteIndex: Int { @_noLocks @_noAllocation get { HeldNotes.index(Int(channel), Int(key)) } }
  var isHeld: Bool { @_noLocks @_noAllocation get { end < 0 } }
  var isDone: Bool {
    @_noLocks @_noAllocation get { begun >= repeats && !isHeld && ended >= begun }
  }

  var hasBegin: Bool { @_noLocks @_noAllocation get { begun < repeats } }
  /// Whether the next end of a repeat is known: the note has ended, and a repeat has begun.
  var hasEnd: Bool { @_noLocks @_noAllocation get { !isHeld && ended < begun } }

  /// The times when the next repeat begins, and when the next one ends, in elapsed beats.
  var dueBegin: Double {
    @_noLocks @_noAllocation get { begin + settings.delay * Double(begun + 1) }
  }
  var dueEnd: Double { @_noLocks @_noAllocation get { end + settings.delay * Double(ended + 1) } }

  /// The key of a repeat, counted from 1, also outside 0…127.
  @_noLocks @_noAllocation
  func key(ofRepeat number: Int) -> Int { Int(key) + settings.step * number }
}

/// Up to 256 voices, each in a slot, sorted by the next beginning and the next end of a repeat.
///
/// The value is a handle: copies name the same voices.
struct EchoVoices: @unchecked Sendable, BitwiseCopyable {
  static var capacity: Int { @_noLocks @_noAllocation get { 256 } }

  private struct Slot: BitwiseCopyable {
    var voice = EchoVoice(ShortMessage(0x90, 0, 0), .none, at: 0, EchoSettings())
    /// The number of the note; later notes have higher ones.
    var order: UInt64 = 0
    /// The next free slot, or that of the previous held note of the same key; −1 for none.
    var next = -1
    /// The neighbours of the slot among those of its channel; −1 for none.
    var newer = -1
    var older = -1

    /// - Thread: [control]
    init() {}
  }

  private struct Common: BitwiseCopyable {
    var order: UInt64 = 0
    var free = 0
    /// The slot of each channel's newest voice; −1 for none.
    var newest = InlineArray<16, Int>(repeating: -1)

    /// - Thread: [control]
    init() {}
  }

  private let slots: UnsafeMutablePointer<Slot>
  private let common: UnsafeMutablePointer<Common>
  /// The slot of the newest held note of each channel and key; −1 for none.
  private let newest: UnsafeMutablePointer<Int16>
  private let begins: SlotHeap
  private let ends: SlotHeap

  /// - Thread: [control]
  static func allocate() -> EchoVoices { EchoVoices() }

  private init() {
    slots = .allocate(capacity: Self.capacity)
    slots.initialize(repeating: Slot(), count: Self.capacity)
    common = .allocate(capacity: 1)
    common.initialize(to: Common())
    newest = .allocate(capacity: HeldNotes.indexCount)
    newest.initialize(repeating: -1, count: HeldNotes.indexCount)
    begins = .allocate(capacity: Self.capacity)
    ends = .allocate(capacity: Self.capacity)
    for slot in 0..<Self.capacity { slots[slot].next = slot + 1 < Self.capacity ? slot + 1 : -1 }
  }

  /// - Thread: [control], after the last use of the voices.
  func deallocate() {
    slots.deallocate()
    common.deallocate()
    newest.deallocate()
    begins.deallocate()
    ends.deallocate()
  }

  @_noLocks @_noAllocation
  func voice(_ slot: Int) -> EchoVoice { slots[slot].voice }

  /// Adds a voice; false if there is no room. - Complexity: O(log voices)
  @_noLocks @_noAllocation
  func append(_ voice: EchoVoice) -> Bool {
    let slot = common.pointee.free
    if slot < 0 { return false }
    common.pointee.free = slots[slot].next
    common.pointee.order &+= 1
    slots[slot].voice = voice
    slots[slot].order = common.pointee.order
    slots[slot].next = Int(newest[voice.noteIndex])
    newest[voice.noteIndex] = Int16(truncatingIfNeeded: slot)
    link(slot)
    note(slot)
    return true
  }

  /// Links a slot as the newest of its channel.
  @_noLocks @_noAllocation
  private func link(_ slot: Int) {
    let channel = Int(slots[slot].voice.channel & 15)
    let before = common.pointee.newest[channel]
    slots[slot].newer = -1
    slots[slot].older = before
    if before >= 0 { slots[before].newer = slot }
    common.pointee.newest[channel] = slot
  }

  @_noLocks @_noAllocation
  private func unlink(_ slot: Int) {
    let (newer, older) = (slots[slot].newer, slots[slot].older)
    if older >= 0 { slots[older].newer = newer }
    if newer >= 0 {
      slots[newer].older = older
    } else {
      common.pointee.newest[Int(slots[slot].voice.channel & 15)] = older
    }
  }

  /// Ends the held note that a message of a channel and key belongs to, of several equal fits the
  /// newest. Does nothing if there is none.
  /// - Complexity: O(held notes of the key + log voices)
  @_noLocks @_noAllocation
  func release(_ index: Int, _ identity: NoteIdentity, at elapsed: Double) {
    let (slot, newer, _) = find(index, identity)
    if slot < 0 { return }
    if newer < 0 {
      newest[index] = Int16(truncatingIfNeeded: slots[slot].next)
    } else {
      slots[newer].next = slots[slot].next
    }
    slots[slot].voice.end = elapsed
    note(slot)
  }

  /// The held note that a message of a channel and key belongs to, of several equal fits the
  /// newest.
  /// - Returns: its slot, that of the next newer one of its key, −1 for none, and its fit: see
  ///   `NoteIdentity.fit`.
  /// - Complexity: O(held notes of the key)
  @_noLocks @_noAllocation
  func find(_ index: Int, _ identity: NoteIdentity) -> (slot: Int, newer: Int, fit: Int) {
    var best = (slot: -1, newer: -1, fit: 0)
    var (slot, newer) = (Int(newest[index & (HeldNotes.indexCount - 1)]), -1)
    while slot >= 0 && best.fit < 3 {
      let fit = slots[slot].voice.identity.fit(identity)
      if fit > best.fit { best = (slot, newer, fit) }
      (slot, newer) = (slots[slot].next, slot)
    }
    return best
  }

  /// The slot of the voice that begins a repeat first, of several the oldest; −1 for none.
  var firstToBegin: Int { @_noLocks @_noAllocation get { begins.first } }
  /// The slot of the voice that ends a repeat first, of several the oldest; −1 for none.
  var firstToEnd: Int { @_noLocks @_noAllocation get { ends.first } }

  @_noLocks @_noAllocation
  func dueBegin(_ slot: Int) -> Double { begins.due(slot) }

  @_noLocks @_noAllocation
  func dueEnd(_ slot: Int) -> Double { ends.due(slot) }

  /// Stores a changed voice, which is freed when it is done. - Complexity: O(log voices)
  @_noLocks @_noAllocation
  func set(_ slot: Int, to voice: EchoVoice) {
    slots[slot].voice = voice
    begins.remove(slot)
    ends.remove(slot)
    note(slot)
  }

  /// Schedules the next beginning and the next end of a voice's repeats.
  @_noLocks @_noAllocation
  private func note(_ slot: Int) {
    let voice = slots[slot].voice
    if voice.isDone { return free(slot) }
    let order = slots[slot].order
    if voice.hasBegin && !begins.contains(slot) {
      begins.insert(slot, due: voice.dueBegin, order: order)
    }
    if voice.hasEnd && !ends.contains(slot) {
      ends.insert(slot, due: voice.dueEnd, order: order)
    }
  }

  /// Frees the slot of a voice that is not held.
  @_noLocks @_noAllocation
  private func free(_ slot: Int) {
    begins.remove(slot)
    ends.remove(slot)
    unlink(slot)
    slots[slot].next = common.pointee.free
    common.pointee.free = slot
  }

  /// - Complexity: O(voices of the channel · log voices)
  @_noLocks @_noAllocation
  func forget(channel: Int) {
    while common.pointee.newest[channel & 15] >= 0 {
      let slot = common.pointee.newest[channel & 15]
      newest[slots[slot].voice.noteIndex] = -1
      free(slot)
    }
  }

  @_noLocks @_noAllocation
  func forgetAll() {
    var channel = 0
    while channel < 16 {
      forget(channel: channel)
      channel &+= 1
    }
  }
}

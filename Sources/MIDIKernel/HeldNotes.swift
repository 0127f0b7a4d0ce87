// Which note-ons of each channel and key still wait for their note-off, and what became of each.

/// The memory of a stage that lets note-offs find their notes.
///
/// Of one channel and key any number of note-ons may be held at once; a note-off ends the newest of
/// those that were sent on, and only then those that were not. So a note-off that is missing, or a stage
/// that closes between two note-ons, never leaves the newer note sounding.
///
/// The value is a handle: copies name the same memory.
struct HeldNotes: @unchecked Sendable, BitwiseCopyable {
  /// How many sent notes can be held at once, over all channels.
  static var capacity: Int { @_noLocks @_noAllocation get { 4096 } }
  static var places: Int { @_noLocks @_noAllocation get { 16 * 128 } }

  /// A held note that was sent on, linked to the one before it of the same channel and key.
  struct Note: BitwiseCopyable {
    var tag: UInt16
    var next: UInt16
  }

  /// Element 0 starts the chain of free elements; a link of 0 is the end.
  let notes: UnsafeMutablePointer<Note>
  /// The newest sent note of each channel and key.
  let newest: UnsafeMutablePointer<UInt16>
  /// How many note-ons of each channel and key were not sent on.
  private let silent: UnsafeMutablePointer<UInt8>
  private let channelCounts: UnsafeMutablePointer<Int>

  /// - Thread: [control]
  static func allocate() -> HeldNotes { HeldNotes() }

  private init() {
    notes = .allocate(capacity: Self.capacity + 1)
    newest = .allocate(capacity: Self.places)
    silent = .allocate(capacity: Self.places)
    channelCounts = .allocate(capacity: 16)
    notes.initialize(repeating: Note(tag: 0, next: 0), count: Self.capacity + 1)
    newest.initialize(repeating: 0, count: Self.places)
    silent.initialize(repeating: 0, count: Self.places)
    channelCounts.initialize(repeating: 0, count: 16)
    forgetAll()
  }

  /// - Thread: [control], once nobody uses the memory any more.
  func deallocate() {
    notes.deallocate()
    newest.deallocate()
    silent.deallocate()
    channelCounts.deallocate()
  }

  @_noLocks @_noAllocation
  static func place(_ channel: Int, _ key: Int) -> Int {
    (channel & 15) * 128 + (key & 127)
  }

  /// Remembers a note that is sent on, as `tag` (0 to 65535); false when there is no room: then the
  /// note must not be sent.
  @_noLocks @_noAllocation
  func press(channel: Int, key: Int, tag: Int) -> Bool {
    let free = notes[0].next
    if free == 0 { return false }
    let place = Self.place(channel, key)
    notes[0].next = notes[Int(free)].next
    notes[Int(free)] = Note(tag: UInt16(truncatingIfNeeded: tag), next: newest[place])
    newest[place] = free
    channelCounts[channel & 15] += 1
    return true
  }

  /// Remembers a note that is not sent on.
  @_noLocks @_noAllocation
  func pressSilently(channel: Int, key: Int) {
    let place = Self.place(channel, key)
    if silent[place] < .max { silent[place] += 1 }
  }

  /// Ends a note: the tag of the one to send the note-off for, −1 when none is to be sent.
  @_noLocks @_noAllocation
  func release(channel: Int, key: Int) -> Int {
    let place = Self.place(channel, key)
    let link = newest[place]
    if link == 0 {
      if silent[place] > 0 { silent[place] -= 1 }
      return -1
    }
    let note = notes[Int(link)]
    newest[place] = note.next
    notes[Int(link)].next = notes[0].next
    notes[0].next = link
    channelCounts[channel & 15] -= 1
    return Int(note.tag)
  }

  /// The tag of the newest sent note, −1 when only notes that were not sent are held, −2 when none is.
  @_noLocks @_noAllocation
  func tag(channel: Int, key: Int) -> Int {
    let place = Self.place(channel, key)
    if newest[place] != 0 { return Int(notes[Int(newest[place])].tag) }
    return silent[place] > 0 ? -1 : -2
  }

  /// Whether a note that was sent on is held.
  @_noLocks @_noAllocation
  func holdsNotes(channel: Int) -> Bool { channelCounts[channel & 15] > 0 }

  @_noLocks @_noAllocation
  func holdsNotes() -> Bool {
    var channel = 0
    while channel < 16 {
      if channelCounts[channel] > 0 { return true }
      channel += 1
    }
    return false
  }

  /// Forgets the notes of a channel, which something else has ended.
  /// - Complexity: O(keys + notes held)
  @_noLocks @_noAllocation
  func forget(channel: Int) {
    var key = 0
    while key < 128 {
      let place = Self.place(channel, key)
      while newest[place] != 0 { _ = release(channel: channel, key: key) }
      silent[place] = 0
      key += 1
    }
  }

  /// Forgets all notes. - Complexity: O(capacity)
  @_noLocks @_noAllocation
  func forgetAll() {
    var index = 0
    while index < Self.capacity {
      notes[index].next = UInt16(truncatingIfNeeded: index + 1)
      index += 1
    }
    notes[Self.capacity].next = 0
    index = 0
    while index < Self.places {
      newest[index] = 0
      silent[index] = 0
      index += 1
    }
    index = 0
    while index < 16 {
      channelCounts[index] = 0
      index += 1
    }
  }
}

// Note-ons of each channel and key that wait for their note-off, each with a tag.

import UnitRender

/// The memory of a stage in which note-offs find their notes.
///
/// Any number of note-ons of one channel and key may be held at once. A note-off ends its own note,
/// otherwise the newest sent note of the same key of the chain's input, and only then an unsent
/// one. So a missing note-off, or a stage that closes between two note-ons, never leaves the newer
/// note sounding.
///
/// The value is a handle: copies name the same memory.
struct HeldNotes: @unchecked Sendable, BitwiseCopyable {
  /// The number of sent notes that can be held at once, over all channels.
  static var capacity: Int { @_noLocks @_noAllocation get { 4096 } }
  /// The number of channels and keys.
  static var indexCount: Int { @_noLocks @_noAllocation get { 16 * 128 } }

  /// A held note that was sent on, linked to the previous one of the same channel and key.
  struct Note: BitwiseCopyable {
    var tag: UInt16
    /// The index of the previous note in `older`.
    var link: UInt16
    var identity: NoteIdentity

    /// The link of no note.
    static var none: UInt16 { @_noLocks @_noAllocation get { 0 } }
    /// The link of a note with none before it.
    static var last: UInt16 { @_noLocks @_noAllocation get { .max } }

    static var nothing: Note {
      @_noLocks @_noAllocation get { Note(tag: 0, link: Note.none, identity: .none) }
    }

    var isHeld: Bool { @_noLocks @_noAllocation get { link != Self.none } }
  }

  /// One block of memory, so that a single address leads to all of it.
  private struct Memory {
    /// The newest sent note of each channel and key: most often the only one.
    var newest = InlineArray<2048, Note>(repeating: .nothing)
    /// The numbers of note-ons of each channel and key that were not sent on.
    var silent = InlineArray<2048, UInt8>(repeating: 0)
    /// The channels and keys that may be held.
    var marks = NoteSet()
    /// The words of the channels with notes that may have a bit in their tag, for each bit.
    var senders = InlineArray<16, UInt32>(repeating: 0)
    /// The number of sent notes that are held.
    var count = 0
    /// The channels and keys that had too many notes to search. A note-off without a fit then ends
    /// the newest note, so that none is left.
    var mixed = NoteSet()
    var mixedCount = 0
    /// The number of note-ons that were not sent on, over all channels and keys.
    var silentCount = 0
    /// The notes before the newest, with room for each that can be held. Element 0 starts the list
    /// of free ones.
    var older = InlineArray<4097, Note>(repeating: .nothing)
  }

  private let memory: UnsafeMutablePointer<Memory>

  /// - Thread: [control]
  static func allocate() -> HeldNotes { HeldNotes() }

  private init() {
    memory = .allocate(capacity: 1)
    memory.initialize(to: Memory())
    for index in 0..<Self.capacity { memory.pointee.older[index].link = UInt16(index + 1) }
  }

  /// - Thread: [control], after the last use of the memory.
  func deallocate() { memory.deallocate() }

  /// The note of a channel and key, channel · 128 + key, which functions take as `index`.
  @_noLocks @_noAllocation @inline(__always)
  static func index(_ channel: Int, _ key: Int) -> Int {
    (channel & 15) << 7 | (key & 127)
  }

  /// Remembers a note that is sent on, as `tag` (0 to 65535); false if there is no room: then the
  /// note must not be sent.
  @_noLocks @_noAllocation @inline(__always)
  func press(_ index: Int, _ identity: NoteIdentity, tag: Int) -> Bool {
    let index = index & (Self.indexCount - 1)
    if _slowPath(memory.pointee.count >= Self.capacity) { return false }
    memory.pointee.count &+= 1
    let before = memory.pointee.newest[index]
    var link = Note.last
    if _slowPath(before.isHeld) { link = store(before) }
    memory.pointee.newest[index] = Note(
      tag: UInt16(truncatingIfNeeded: tag), link: link, identity: identity)
    memory.pointee.marks.insert(index)
    return true
  }

  /// Moves `note` to `older`, before a newer one. - Returns: the link to it.
  @_noLocks @_noAllocation @inline(never)
  private func store(_ note: Note) -> UInt16 {
    let free = memory.pointee.older[0].link
    memory.pointee.older[0].link = memory.pointee.older[Int(free)].link
    memory.pointee.older[Int(free)] = note
    return free
  }

  /// Frees the room of an older note.
  @_noLocks @_noAllocation
  private func discard(_ link: UInt16) {
    memory.pointee.older[Int(link)].link = memory.pointee.older[0].link
    memory.pointee.older[0].link = link
  }

  /// Remembers a note that is not sent on.
  @_noLocks @_noAllocation
  func pressSilently(_ index: Int) {
    let index = index & (Self.indexCount - 1)
    if memory.pointee.silent[index] < .max {
      memory.pointee.silent[index] &+= 1
      memory.pointee.silentCount &+= 1
    }
    memory.pointee.marks.insert(index)
  }

  /// Ends a note. Returns the tag of the note to send the note-off for; −1 if none is to be sent.
  /// - Parameter event: the note-off; gets the identity of the note that it ends.
  @_noLocks @_noAllocation @inline(__always)
  func release(_ index: Int, by event: UnsafeMutablePointer<RenderEvent>) -> Int {
    let index = index & (Self.indexCount - 1)
    let note = memory.pointee.newest[index]
    if _fastPath(
      note.link == Note.last && note.identity.isSame(as: event.pointee.identity)
        && memory.pointee.mixedCount == 0)
    {
      memory.pointee.count &-= 1
      memory.pointee.newest[index] = .nothing
      return Int(note.tag)
    }
    return releaseOneOfMany(index, by: event)
  }

  /// Ends a note of a key with several notes, or with none that was sent.
  @_noLocks @_noAllocation @inline(never)
  private func releaseOneOfMany(
    _ index: Int, by event: UnsafeMutablePointer<RenderEvent>
  ) -> Int {
    let identity = event.pointee.identity
    let found = find(index, identity)
    if found.fit > 0 {
      event.pointee.identity = note(index, found.link).identity.asKey(of: identity)
      return remove(index, found.link)
    }
    if memory.pointee.silent[index] > 0 {
      memory.pointee.silent[index] &-= 1
      memory.pointee.silentCount &-= 1
    }
    return -1
  }

  /// The number of notes of a channel and key searched for the note of a message: two of each
  /// channel merged by an earlier stage.
  private static var searched: Int { @_noLocks @_noAllocation get { 32 } }

  /// Finds the note that a message belongs to: the newest of the best fits among the `searched`
  /// newest notes. Once a key has had too many notes to search, a message without a fit belongs to
  /// the newest note. This applies while any note of the key is held, so that none is left.
  /// - Returns: the link to the note, `none` for the newest, and how well it fits: 0 for no note.
  @_noLocks @_noAllocation
  private func find(_ index: Int, _ identity: NoteIdentity) -> (link: UInt16, fit: Int) {
    var best = (link: Note.none, fit: 0)
    var link = Note.none
    var note = memory.pointee.newest[index]
    var rest = Self.searched
    while note.isHeld && rest > 0 {
      let fit = note.identity.fit(identity)
      if fit > best.fit { best = (link, fit) }
      if fit == 3 || note.link == Note.last { break }
      link = note.link
      note = memory.pointee.older[Int(link)]
      rest &-= 1
    }
    if rest == 0 && best.fit < 3 { mix(index) }
    if best.fit == 0 && memory.pointee.newest[index].isHeld && memory.pointee.mixed.contains(index)
    {
      return (Note.none, 1)
    }
    return best
  }

  @_noLocks @_noAllocation
  private func mix(_ index: Int) {
    if memory.pointee.mixed.contains(index) { return }
    memory.pointee.mixed.insert(index)
    memory.pointee.mixedCount &+= 1
  }

  /// - Parameter link: the link to the note; `none` for the newest.
  @_noLocks @_noAllocation
  private func note(_ index: Int, _ link: UInt16) -> Note {
    link == Note.none ? memory.pointee.newest[index] : memory.pointee.older[Int(link)]
  }

  /// Removes a note that is held. - Returns: its tag.
  /// - Parameter link: the link to the note; `none` for the newest.
  @_noLocks @_noAllocation
  private func remove(_ index: Int, _ link: UInt16) -> Int {
    memory.pointee.count &-= 1
    let note = note(index, link)
    if link != Note.none {
      unlink(index, link)
      discard(link)
    } else if note.link == Note.last {
      memory.pointee.newest[index] = .nothing
      if memory.pointee.mixed.contains(index) {
        memory.pointee.mixed.remove(index)
        memory.pointee.mixedCount &-= 1
      }
    } else {
      memory.pointee.newest[index] = memory.pointee.older[Int(note.link)]
      discard(note.link)
    }
    return Int(note.tag)
  }

  /// Links the next newer note to the one before an older note.
  /// - Complexity: O(notes newer than it)
  @_noLocks @_noAllocation
  private func unlink(_ index: Int, _ link: UInt16) {
    let before = memory.pointee.older[Int(link)].link
    var newer = memory.pointee.newest[index].link
    if newer == link {
      memory.pointee.newest[index].link = before
      return
    }
    while memory.pointee.older[Int(newer)].link != link {
      newer = memory.pointee.older[Int(newer)].link
    }
    memory.pointee.older[Int(newer)].link = before
  }

  /// The tag of the note that a message belongs to; −1 if only unsent notes are held, −2 if none
  /// is.
  @_noLocks @_noAllocation
  func tag(_ index: Int, _ identity: NoteIdentity) -> Int {
    let index = index & (Self.indexCount - 1)
    let found = find(index, identity)
    if found.fit == 0 { return memory.pointee.silent[index] > 0 ? -1 : -2 }
    return Int(note(index, found.link).tag)
  }

  /// The fit of the note that a message would end: see `NoteIdentity.fit`, 0 for none.
  @_noLocks @_noAllocation
  func fit(_ index: Int, _ identity: NoteIdentity) -> Int {
    find(index & (Self.indexCount - 1), identity).fit
  }

  /// Whether a note of a channel that was sent on is held.
  /// - Complexity: as for `firstIndex`.
  @_noLocks @_noAllocation
  func holdsNotes(channel: Int) -> Bool {
    firstIndex(in: NoteSet.words(ofChannel: channel)) >= 0
  }

  /// The first channel and key of some words with a note that was sent on; −1 for none.
  /// - Complexity: O(keys pressed since the last look), O(1) without notes.
  @_noLocks @_noAllocation
  func firstIndex(in words: UInt32) -> Int {
    if memory.pointee.count == 0 { return -1 }
    var index = memory.pointee.marks.next(behind: -1, in: words)
    while index >= 0 {
      if memory.pointee.newest[index].isHeld { return index }
      if memory.pointee.silent[index] == 0 { memory.pointee.marks.remove(index) }
      index = memory.pointee.marks.next(behind: index, in: words)
    }
    return -1
  }

  @_noLocks @_noAllocation
  func holdsNotes() -> Bool { memory.pointee.count > 0 }

  /// Whether no note-on, sent or not, waits for its note-off.
  var isEmpty: Bool {
    @_noLocks @_noAllocation get { memory.pointee.count == 0 && memory.pointee.silentCount == 0 }
  }

  /// Forgets the notes of a channel, which another message has ended.
  /// - Complexity: O(keys pressed since the last time + notes held), O(1) without.
  @_noLocks @_noAllocation
  func forget(channel: Int) {
    forget(words: NoteSet.words(ofChannel: channel))
  }

  /// Forgets all notes. - Complexity: as for those of a channel.
  @_noLocks @_noAllocation
  func forgetAll() { forget(words: NoteSet.all) }

  @_noLocks @_noAllocation
  private func forget(words: UInt32) {
    if isEmpty { return }
    var index = memory.pointee.marks.takeFirst(in: words)
    while index >= 0 {
      while memory.pointee.newest[index].isHeld { _ = remove(index, Note.none) }
      memory.pointee.silentCount -= Int(memory.pointee.silent[index])
      memory.pointee.silent[index] = 0
      index = memory.pointee.marks.takeFirst(in: words)
    }
  }

  /// The union of the tags of a channel's sent notes.
  /// - Complexity: O(keys pressed since the last look + notes held), O(1) without notes.
  @_noLocks @_noAllocation
  func tags(channel: Int) -> UInt16 {
    if memory.pointee.count == 0 { return 0 }
    var tags: UInt16 = 0
    let words = NoteSet.words(ofChannel: channel)
    var index = memory.pointee.marks.next(behind: -1, in: words)
    while index >= 0 {
      let note = memory.pointee.newest[index]
      tags |= note.tag
      var link = note.link
      while link != Note.none && link != Note.last {
        tags |= memory.pointee.older[Int(link)].tag
        link = memory.pointee.older[Int(link)].link
      }
      if !note.isHeld && memory.pointee.silent[index] == 0 { memory.pointee.marks.remove(index) }
      index = memory.pointee.marks.next(behind: index, in: words)
    }
    return tags
  }

  /// Records that a note of a channel has some bits in its tag, so that `clear` finds it.
  @_noLocks @_noAllocation @inline(__always)
  func noteSender(_ channel: Int, of tagBits: UInt16) {
    var rest = tagBits
    while rest != 0 {
      memory.pointee.senders[rest.trailingZeroBitCount] |= NoteSet.words(ofChannel: channel)
      rest &= rest &- 1
    }
  }

  /// Removes bits from the tags of all notes, and forgets notes that have none left.
  /// - Complexity: O(notes of the channels that have had these bits since the last time)
  @_noLocks @_noAllocation
  func clear(tagBits: UInt16) {
    var words: UInt32 = 0
    var bits = tagBits
    while bits != 0 {
      words |= memory.pointee.senders[bits.trailingZeroBitCount]
      memory.pointee.senders[bits.trailingZeroBitCount] = 0
      bits &= bits &- 1
    }
    var index = memory.pointee.marks.next(behind: -1, in: words)
    while index >= 0 {
      clear(tagBits: tagBits, index)
      index = memory.pointee.marks.next(behind: index, in: words)
    }
  }

  @_noLocks @_noAllocation
  private func clear(tagBits: UInt16, _ index: Int) {
    while memory.pointee.newest[index].isHeld {
      memory.pointee.newest[index].tag &= ~tagBits
      if memory.pointee.newest[index].tag != 0 { break }
      _ = remove(index, Note.none)
    }
    if !memory.pointee.newest[index].isHeld && memory.pointee.silent[index] == 0 {
      memory.pointee.marks.remove(index)
    }
    var newer = Note.none
    var link = memory.pointee.newest[index].link
    while link != Note.none && link != Note.last {
      let older = memory.pointee.older[Int(link)].link
      memory.pointee.older[Int(link)].tag &= ~tagBits
      if memory.pointee.older[Int(link)].tag != 0 {
        newer = link
      } else {
        memory.pointee.count &-= 1
        if newer == Note.none {
          memory.pointee.newest[index].link = older
        } else {
          memory.pointee.older[Int(newer)].link = older
        }
        discard(link)
      }
      link = older
    }
  }
}

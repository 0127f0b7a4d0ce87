// Tags that are sets of bits.

extension HeldNotes {
  /// All bits of the tags of a channel's sent notes.
  /// - Complexity: O(keys + notes held), O(1) without notes.
  @_noLocks @_noAllocation
  func tags(channel: Int) -> UInt16 {
    if !holdsNotes(channel: channel) { return 0 }
    var tags: UInt16 = 0
    var key = 0
    while key < 128 {
      var link = newest[Self.place(channel, key)]
      while link != 0 {
        tags |= notes[Int(link)].tag
        link = notes[Int(link)].next
      }
      key += 1
    }
    return tags
  }

  /// Takes bits out of the tags of all notes. A note stays held without any.
  /// - Complexity: O(channels with notes · keys + notes held)
  @_noLocks @_noAllocation
  func clear(tagBits: UInt16) {
    var channel = 0
    while channel < 16 {
      var key = holdsNotes(channel: channel) ? 0 : 128
      while key < 128 {
        var link = newest[Self.place(channel, key)]
        while link != 0 {
          notes[Int(link)].tag &= ~tagBits
          link = notes[Int(link)].next
        }
        key += 1
      }
      channel += 1
    }
  }
}

// The identity of a note of a chain's input.

import UnitRender

/// A note, identified by the channel and key of its entry into the chain, and by its number among
/// the key's notes not yet ended.
///
/// The chain's input assigns it to notes and to key pressure. Messages made from these by stages
/// keep it, on any channel and key. So a note-off still finds its own note if an earlier stage has
/// mapped two keys to one. If a stage ends another note instead, the note-off gets that note's
/// identity, so that each note has its end. Notes that stages begin without an event, such as the
/// repeats of an echo, have none.
struct NoteIdentity: BitwiseCopyable {
  /// Bits 0…10: channel · 128 + key. Bits 11…14: 0 for none, else 8 + the number modulo 8. Bit 15:
  /// whether the key was down, or up, already.
  fileprivate let bits: UInt16

  static var none: NoteIdentity { @_noLocks @_noAllocation get { NoteIdentity(bits: 0) } }

  @_noLocks @_noAllocation @inline(__always)
  fileprivate init(bits: UInt16) { self.bits = bits }

  /// - Parameters:
  ///   - index: channel · 128 + key.
  ///   - number: the note's number among those of the key that have not ended, from 1; 0 for none.
  ///   - isAgain: whether a note-on finds its key down already, or a note-off finds it up.
  @_noLocks @_noAllocation @inline(__always)
  init(index: Int, number: Int, isAgain: Bool) {
    var bits: UInt16 = isAgain ? 1 << 15 : 0
    if number > 0 { bits |= UInt16(truncatingIfNeeded: (number & 7 | 8) << 11 | index & 0x7FF) }
    self.bits = bits
  }

  @_noLocks @_noAllocation @inline(__always)
  func isSame(as other: NoteIdentity) -> Bool { (bits ^ other.bits) & 0x7FFF == 0 }

  var isNone: Bool { @_noLocks @_noAllocation get { bits & 0x7800 == 0 } }

  /// This note's identity, with bit 15 (the state of the key) of another identity.
  @_noLocks @_noAllocation
  func asKey(of other: NoteIdentity) -> NoteIdentity {
    NoteIdentity(bits: bits & 0x7FFF | other.bits & 0x8000)
  }

  var isAgain: Bool { @_noLocks @_noAllocation @inline(__always) get { bits >> 15 != 0 } }

  /// The fit of a note to the message that ends it: 3 for the note itself, 2 for another of its
  /// key, 0 for one of another key. If one of both has no identity, 1.
  @_noLocks @_noAllocation
  func fit(_ message: NoteIdentity) -> Int {
    if isSame(as: message) { return 3 }
    if isNone || message.isNone { return 1 }
    return (bits ^ message.bits) & 0x7FF == 0 ? 2 : 0
  }
}

extension RenderEvent {
  var identity: NoteIdentity {
    @_noLocks @_noAllocation @inline(__always) get { NoteIdentity(bits: note) }
    @_noLocks @_noAllocation @inline(__always) set { note = newValue.bits }
  }
}

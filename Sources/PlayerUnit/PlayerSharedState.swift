// State shared by the control side and the kernel of a player.

import Realtime

/// Atomic words that the control side and the kernel of a player share.
///
/// The value is a handle: copies refer to the same memory.
struct PlayerSharedState: @unchecked Sendable, BitwiseCopyable {
  private let words = AtomicCounters(count: 5)

  /// Playback has not been requested yet.
  static var waiting: Int { @_noLocks @_noAllocation get { 0 } }
  /// The file is to be played.
  static var playing: Int { @_noLocks @_noAllocation get { 1 } }
  /// Held notes are to be released, or the audio faded out. Nothing more is played.
  static var ending: Int { @_noLocks @_noAllocation get { 2 } }

  /// - Thread: [control]
  func deallocate() { words.deallocate() }

  /// `waiting`, `playing` or `ending`.
  /// - Thread: [any]
  var order: Int {
    @_noLocks @_noAllocation get { words[0] }
    @_noLocks @_noAllocation nonmutating set { words[0] = newValue }
  }

  /// The next frame of the file to play; below 0 before its beginning.
  /// - Thread: [any]
  var position: Int {
    @_noLocks @_noAllocation get { words[1] }
    @_noLocks @_noAllocation nonmutating set { words[1] = newValue }
  }

  /// Nonzero once everything has ended after `ending`.
  /// - Thread: [any]
  var ended: Int {
    @_noLocks @_noAllocation get { words[2] }
    @_noLocks @_noAllocation nonmutating set { words[2] = newValue }
  }

  /// Count of messages sent later than their frame.
  /// - Thread: [any]
  var late: Int { words[3] }

  /// Count of messages left out.
  /// - Thread: [any]
  var lost: Int { words[4] }

  /// - Thread: [render]
  @_noLocks @_noAllocation
  func countLate() { words.add(1, to: 3) }

  /// - Thread: [render]
  @_noLocks @_noAllocation
  func countLost() { words.add(1, to: 4) }
}

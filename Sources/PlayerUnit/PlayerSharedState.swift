// What the control side and the kernel of a player tell each other.

import Realtime

/// Words of memory that both sides of a player share.
///
/// The value is a handle: copies name the same words.
struct PlayerSharedState: @unchecked Sendable, BitwiseCopyable {
  private let words = AtomicCounters(count: 5)

  /// Nothing has been asked for yet.
  static var waiting: Int { @_noLocks @_noAllocation get { 0 } }
  /// The file is to be played.
  static var playing: Int { @_noLocks @_noAllocation get { 1 } }
  /// What the file has begun is to be ended, and nothing more played.
  static var ending: Int { @_noLocks @_noAllocation get { 2 } }

  /// - Thread: [control]
  func deallocate() { words.deallocate() }

  /// One of the three above.
  /// - Thread: [any]
  var order: Int {
    @_noLocks @_noAllocation get { words[0] }
    @_noLocks @_noAllocation nonmutating set { words[0] = newValue }
  }

  /// The frame of the file that is played next; below 0 before its beginning.
  /// - Thread: [any]
  var position: Int {
    @_noLocks @_noAllocation get { words[1] }
    @_noLocks @_noAllocation nonmutating set { words[1] = newValue }
  }

  /// Not 0 once all is ended that was to be.
  /// - Thread: [any]
  var ended: Int {
    @_noLocks @_noAllocation get { words[2] }
    @_noLocks @_noAllocation nonmutating set { words[2] = newValue }
  }

  /// Messages that were played behind their frame.
  /// - Thread: [any]
  var late: Int { words[3] }

  /// Messages that were left out.
  /// - Thread: [any]
  var lost: Int { words[4] }

  /// - Thread: [render]
  @_noLocks @_noAllocation
  func countLate() { words.add(1, to: 3) }

  /// - Thread: [render]
  @_noLocks @_noAllocation
  func countLost() { words.add(1, to: 4) }
}

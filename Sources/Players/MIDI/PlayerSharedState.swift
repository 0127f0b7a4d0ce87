// State shared by the control side and the kernel of the MIDI player.

import Realtime

/// Memory that the control side and the kernel of a player share.
///
/// The score belongs to the control side while `order` is `waiting`, otherwise to the kernel. The
/// control side ends that state, the kernel returns to it.
///
/// The value is a handle: copies refer to the same memory.
struct PlayerSharedState: @unchecked Sendable, BitwiseCopyable {
  private let words = AtomicCounters(count: 4)
  private let sharedScore: UnsafeMutablePointer<MIDIScore>

  /// - Thread: [control]
  init() {
    sharedScore = .allocate(capacity: 1)
    sharedScore.initialize(to: MIDIScore())
  }

  /// - Thread: [control], once there is no kernel.
  func deallocate() {
    score.deallocate()
    sharedScore.deallocate()
    words.deallocate()
  }

  /// Nothing is to be played.
  static var waiting: Int { @_noLocks @_noAllocation get { 0 } }
  /// The score is to be played.
  static var playing: Int { @_noLocks @_noAllocation get { 1 } }
  /// Held notes are to be released. The kernel waits again then.
  static var ending: Int { @_noLocks @_noAllocation get { 2 } }

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

  /// The score to play. Its former value is freed.
  var score: MIDIScore {
    @_noLocks @_noAllocation get { sharedScore.pointee }
    nonmutating set {
      sharedScore.pointee.deallocate()
      sharedScore.pointee = newValue
    }
  }

  /// Count of messages sent later than their frame.
  /// - Thread: [any]
  var late: Int { words[2] }

  /// Count of messages left out.
  /// - Thread: [any]
  var lost: Int { words[3] }

  /// - Thread: [render]
  @_noLocks @_noAllocation
  func countLate() { words.add(1, to: 2) }

  /// - Thread: [render]
  @_noLocks @_noAllocation
  func countLost() { words.add(1, to: 3) }
}

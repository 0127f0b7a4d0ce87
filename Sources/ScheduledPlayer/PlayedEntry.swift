// What is scheduled, as the render thread has it.

import Realtime

/// Something to be played.
///
/// The control side makes it and gives it to the render side, which alone changes it until it
/// reports it as finished.
struct PlayedEntry: BitwiseCopyable {
  var sound: PlayedSound
  /// Frames at its beginning that the entry before has at its end; nil for one that does not go on
  /// with that.
  var lead: Int?
  /// Frames at its end that one which goes on with it has too.
  var overlap = 0
  /// On the player's timeline; `asSoonAsPossible` for none.
  var startTime: Int
  let options: UInt8
  /// How many stops the player had been told of when it was scheduled.
  let epoch: UInt64
  /// The way to what was scheduled after it.
  let link: EntryLink

  var next: UnsafeMutablePointer<PlayedEntry>?
  var previous: UnsafeMutablePointer<PlayedEntry>?
  /// The next of those that wait to interrupt.
  var nextInterrupter: UnsafeMutablePointer<PlayedEntry>?

  var isStarted = false
  var isWhole = false
  /// The frame behind the last one, once it has ended; only where it was started.
  var endFrame: FrameTime = 0
  var passes = 0
  /// Loops of which the control side has not been told.
  var loops = LoopRun()
  /// Loops of which it can be told no frames any more.
  var loopsWithoutFrame = 0

  static var asSoonAsPossible: Int { @_noLocks @_noAllocation get { Int.min } }

  var frameCount: Int { @_noLocks @_noAllocation get { sound.frameCount } }

  @_noLocks @_noAllocation
  func has(_ option: UInt8) -> Bool { options & option != 0 }

  static var looping: UInt8 { @_noLocks @_noAllocation get { 1 } }
  static var interrupting: UInt8 { @_noLocks @_noAllocation get { 2 } }
  static var interruptingAtLoop: UInt8 { @_noLocks @_noAllocation get { 4 } }
}

typealias EntryPointer = UnsafeMutablePointer<PlayedEntry>

/// A run of loops that ended in equal distances.
struct LoopRun: BitwiseCopyable {
  /// The frame behind the first of them.
  var firstFrame: FrameTime = 0
  /// From one to the next, in frames.
  var stride: Int64 = 0
  var count = 0

  @_noLocks @_noAllocation
  init() {}

  /// Takes another that follows; false where it does not go on with the run.
  @_noLocks @_noAllocation
  mutating func take(_ frame: FrameTime, stride length: Int64) -> Bool {
    if count == 0 {
      firstFrame = frame
      stride = length
    } else if length != stride || frame != firstFrame &+ stride &* Int64(count) {
      return false
    }
    count = count &+ 1
    return true
  }
}

/// The way from one entry to the next: written by the control side once, read by the render side.
///
/// The value is a handle: copies name the same memory.
struct EntryLink: @unchecked Sendable, BitwiseCopyable {
  private let word = AtomicCounters(count: 1)

  /// - Thread: [control]
  func deallocate() { word.deallocate() }

  /// What follows, nil while nothing does.
  var entry: EntryPointer? {
    @_noLocks @_noAllocation get { EntryPointer(bitPattern: word[0]) }
    @_noLocks @_noAllocation nonmutating set { word[0] = Int(bitPattern: newValue) }
  }
}

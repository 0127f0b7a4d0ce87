// Scheduled entries on the render thread.

import Realtime

/// A scheduled sound.
///
/// The control side makes it and hands it to the render side. Only the render side changes it,
/// until it reports it as finished.
struct QueuedEntry: BitwiseCopyable {
  /// The sound of the current pass: `once` or `looped`.
  private(set) var sound: PlayedSound
  private var isLooped = false
  private(set) var pass: Pass
  /// Frames at its beginning shared with the previous entry's end; nil if it does not continue that
  /// entry.
  var lead: Int?
  /// Frames at its end shared with an entry that continues it.
  var overlap = 0
  /// Start on the player's timeline; `asSoonAsPossible` without one.
  var startTime: Int
  let options: UInt8
  /// Count of the player's stops when it was scheduled.
  let epoch: UInt64
  /// Link to the entry scheduled next.
  let link: EntryLink

  var next: UnsafeMutablePointer<QueuedEntry>?
  var previous: UnsafeMutablePointer<QueuedEntry>?
  /// The next entry that waits to interrupt.
  var nextInterrupter: UnsafeMutablePointer<QueuedEntry>?

  var isStarted = false
  var isWhole = false
  /// The frame after the last one, once it has ended; valid only if it was started.
  var endFrame: FrameTime = 0
  var passes = 0
  /// Loops not yet reported to the control side.
  var loops = LoopRun()
  /// The frame after the last counted loop.
  private var loopEnd: FrameTime = 0
  /// Count of loops to report without a frame.
  var loopsWithoutFrame = 0

  /// The sounds of single passes and of loops; after the fields that every cycle reads.
  private var once: PlayedSound
  private var looped: PlayedSound

  /// - Parameters:
  ///   - once: the sound for a single pass.
  ///   - looped: the sound for loops.
  ///   - startTime: start on the player's timeline.
  /// - Thread: [control]
  init(
    once: PlayedSound, looped: PlayedSound, lead: Int?, overlap: Int, startTime: Int,
    options: UInt8, epoch: UInt64
  ) {
    (self.once, self.looped, sound, pass) = (once, looped, once, Pass(once.pass))
    (self.lead, self.overlap, self.startTime) = (lead, overlap, startTime)
    (self.options, self.epoch, link) = (options, epoch, EntryLink())
  }

  /// Replaces its sounds by others, at their beginning.
  ///
  /// - Thread: [control], while there is no kernel.
  mutating func replace(once: PlayedSound, looped: PlayedSound) {
    (self.once, self.looped) = (once, looped)
    begin(looping: isLooped)
  }

  /// Starts at the first pass.
  @_noLocks @_noAllocation
  mutating func begin(looping: Bool) {
    begin(looping: looping, at: Pass((looping ? looped : once).pass))
  }

  @_noLocks @_noAllocation
  mutating func begin(looping: Bool, at pass: Pass) {
    isLooped = looping
    sound = looping ? looped : once
    self.pass = pass
  }

  /// Adds the current pass to the loops to report; false if it does not continue their run.
  @_noLocks @_noAllocation
  mutating func countLoop(endingBefore frame: FrameTime) -> Bool {
    guard loops.take(pass, endingBefore: frame, after: loopEnd) else { return false }
    loopEnd = frame
    return true
  }

  /// Starts the next pass.
  @_noLocks @_noAllocation
  mutating func beginNext(looping: Bool) {
    if !looping || !isLooped { return begin(looping: looping) }
    let next = pass.next
    pass = next.start < sound.frameCount ? next : Pass(sound.pass)
  }

  /// The pass and frame reached `frames` after the start; nil after the end.
  @_noLocks @_noAllocation
  func position(after frames: Int, looping: Bool) -> Pass.Position? {
    let sound = looping ? looped : once
    let length = sound.frameCount
    if frames >= length && !looping { return nil }
    let frame = frames &- Int(saturating: Double(frames) / Double(length)) &* length
    let pass = Pass(sound.pass, at: frame)
    return Pass.Position(pass: pass, frame: frame &- pass.start)
  }

  /// A frame of the first pass; its beginning if it is shorter.
  @_noLocks @_noAllocation
  func firstPosition(_ frame: Int, looping: Bool) -> Pass.Position {
    let pass = Pass((looping ? looped : once).pass)
    return Pass.Position(pass: pass, frame: frame < pass.frameCount ? frame : 0)
  }

  /// Whether the current pass is this pass of the single or the looped sound.
  @_noLocks @_noAllocation
  func isIn(_ pass: Pass, looping: Bool) -> Bool {
    pass.start == self.pass.start && sound.isSame(as: looping ? looped : once)
  }

  static var asSoonAsPossible: Int { @_noLocks @_noAllocation get { Int.min } }

  @_noLocks @_noAllocation
  func has(_ option: UInt8) -> Bool { options & option != 0 }

  static var looping: UInt8 { @_noLocks @_noAllocation get { 1 } }
  static var interrupting: UInt8 { @_noLocks @_noAllocation get { 2 } }
  static var interruptingAtLoop: UInt8 { @_noLocks @_noAllocation get { 4 } }
}

typealias EntryPointer = UnsafeMutablePointer<QueuedEntry>

/// A link from an entry to the next: written once by the control side, read by the render side.
///
/// The value is a handle: copies refer to the same memory.
struct EntryLink: @unchecked Sendable, BitwiseCopyable {
  private let word = AtomicCounters(count: 1)

  /// - Thread: [control]
  func deallocate() { word.deallocate() }

  /// The next entry; nil until one is scheduled.
  var entry: EntryPointer? {
    @_noLocks @_noAllocation get { EntryPointer(bitPattern: word[0]) }
    @_noLocks @_noAllocation nonmutating set { word[0] = Int(bitPattern: newValue) }
  }
}

// What is scheduled, as the render thread has it.

import Realtime

/// Something to be played.
///
/// The control side makes it and gives it to the render side, which alone changes it until it
/// reports it as finished.
struct PlayedEntry: BitwiseCopyable {
  /// What is played: one of the last two.
  private(set) var sound: PlayedSound
  private var isLooped = false
  private(set) var pass: Pass
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
  /// The frame behind the last loop that was counted.
  private var loopEnd: FrameTime = 0
  /// Loops of which it can be told no frames any more.
  var loopsWithoutFrame = 0

  /// What is played in a single pass, and in loops; behind what every cycle reads.
  private var once: PlayedSound
  private var looped: PlayedSound

  /// - Parameters:
  ///   - once: what is played in a single pass.
  ///   - looped: what is played over and over.
  ///   - startTime: on the player's timeline.
  /// - Thread: [control]
  init(
    once: PlayedSound, looped: PlayedSound, lead: Int?, overlap: Int, startTime: Int,
    options: UInt8, epoch: UInt64
  ) {
    (self.once, self.looped, sound, pass) = (once, looped, once, Pass(once.pass))
    (self.lead, self.overlap, self.startTime) = (lead, overlap, startTime)
    (self.options, self.epoch, link) = (options, epoch, EntryLink())
  }

  /// Puts other sounds in the place of those that there are, at their beginning.
  ///
  /// - Thread: [control], while there is no kernel.
  mutating func replace(once: PlayedSound, looped: PlayedSound) {
    (self.once, self.looped) = (once, looped)
    begin(looping: isLooped)
  }

  /// Goes to the first pass.
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

  /// Counts the present pass among those to be told of; false where it does not go on with them.
  @_noLocks @_noAllocation
  mutating func countLoop(endingBefore frame: FrameTime) -> Bool {
    guard loops.take(pass, endingBefore: frame, after: loopEnd) else { return false }
    loopEnd = frame
    return true
  }

  /// Goes to the pass that follows.
  @_noLocks @_noAllocation
  mutating func beginNext(looping: Bool) {
    if !looping || !isLooped { return begin(looping: looping) }
    let next = pass.next
    pass = next.start < sound.frameCount ? next : Pass(sound.pass)
  }

  /// Where it is that began so many frames ago: in which pass, and how far; nil behind its end.
  @_noLocks @_noAllocation
  func place(after frames: Int, looping: Bool) -> Pass.Position? {
    let sound = looping ? looped : once
    let length = sound.frameCount
    if frames >= length && !looping { return nil }
    let place = frames &- Int(saturating: Double(frames) / Double(length)) &* length
    let pass = Pass(sound.pass, at: place)
    return Pass.Position(pass: pass, frame: place &- pass.start)
  }

  /// Whether it is in a pass of what is played once, or over and over.
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

typealias EntryPointer = UnsafeMutablePointer<PlayedEntry>

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

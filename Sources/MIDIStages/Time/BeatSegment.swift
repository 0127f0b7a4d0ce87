// How musical time runs over the frames of a call.

import Realtime

/// A stretch of frames over which musical time runs evenly, in beats of a quarter note.
///
/// It keeps the frame and beat that it was made from, however many calls it holds for, so that all
/// that is computed from it is the same whatever the period.
struct BeatSegment: BitwiseCopyable {
  /// The first frame that it holds for.
  var from: FrameTime = 0
  var anchor: FrameTime = 0
  /// The position at the anchor.
  var beat = 0.0
  /// The beats that have passed at the anchor, whatever jumps the position made.
  var elapsed = 0.0
  /// Above 0.
  var beatsPerFrame = 1.0 / 24000
  /// Whether the position is a place in a song that others know too. Otherwise it only counts on.
  var isPositioned = false
  /// Whether the song is about to begin, and waits: no step is played meanwhile.
  var isWaiting = false
  /// Another number after each jump of the position.
  var epoch: UInt32 = 0

  @_noLocks @_noAllocation
  func beat(at frame: FrameTime) -> Double {
    beat + Double(frame &- anchor) * beatsPerFrame
  }

  @_noLocks @_noAllocation
  func elapsed(at frame: FrameTime) -> Double {
    elapsed + Double(frame &- anchor) * beatsPerFrame
  }

  /// The first frame whose position is not before `beat`.
  @_noLocks @_noAllocation
  func frame(ofBeat beat: Double) -> FrameTime { frame(after: beat - self.beat) }

  /// The first frame at which not less than `elapsed` has passed.
  @_noLocks @_noAllocation
  func frame(ofElapsed elapsed: Double) -> FrameTime { frame(after: elapsed - self.elapsed) }

  /// A frame that is missed by no more than this is not missed: it is what the arithmetic leaves.
  private static var tolerance: Double { @_noLocks @_noAllocation get { 1e-3 } }

  @_noLocks @_noAllocation
  private func frame(after beats: Double) -> FrameTime {
    anchor &+ FrameTime(wholeNumber(notBelow: beats / beatsPerFrame - Self.tolerance))
  }
}

/// The lines of one call, in the order of their frames. The first holds from the call's start or
/// before.
///
/// The value is a handle: copies name the same lines.
struct BeatSegments: @unchecked Sendable, BitwiseCopyable {
  /// More changes in one call than any clock makes; of what is beyond, the last counts.
  static var capacity: Int { @_noLocks @_noAllocation get { 512 } }

  private let lines: UnsafeMutablePointer<BeatSegment>
  private let used: UnsafeMutablePointer<Int>

  /// - Thread: [control]
  static func allocate() -> BeatSegments { BeatSegments() }

  private init() {
    lines = .allocate(capacity: Self.capacity)
    lines.initialize(repeating: BeatSegment(), count: Self.capacity)
    used = .allocate(capacity: 1)
    used.initialize(to: 1)
  }

  /// - Thread: [control], once nobody uses the lines any more.
  func deallocate() {
    lines.deallocate()
    used.deallocate()
  }

  /// At least 1.
  var count: Int { @_noLocks @_noAllocation get { used.pointee } }

  subscript(index: Int) -> BeatSegment { @_noLocks @_noAllocation get { lines[index] } }

  @_noLocks @_noAllocation
  func restart(with line: BeatSegment) {
    lines[0] = line
    used.pointee = 1
  }

  /// Appends what other lines are from a frame up to another.
  @_noLocks @_noAllocation
  func append(_ others: BeatSegments, from first: FrameTime, to end: FrameTime) {
    var index = 0
    while index < others.count {
      var line = others[index]
      let isOver = index + 1 < others.count && others[index + 1].from <= first
      if !isOver && line.from < end {
        if line.from < first { line.from = first }
        append(line)
      }
      index &+= 1
    }
  }

  /// - Parameter line: it holds from no earlier frame than the last one.
  @_noLocks @_noAllocation
  func append(_ line: BeatSegment) {
    if lines[used.pointee - 1].from < line.from && used.pointee < Self.capacity {
      used.pointee &+= 1
    }
    lines[used.pointee - 1] = line
  }
}

/// How far a stage has come on the lines of a call.
struct BeatCursor: BitwiseCopyable {
  /// The first frame whose time has not come yet.
  private(set) var now: FrameTime = 0
  private var index = 0
  /// The line that held last; how much its count of elapsed beats was ahead of the clock's.
  private var last = BeatSegment()
  private var ahead = 0.0

  /// - Thread: [control]
  init() {}

  /// A call begins. - Returns: whether it continues the one before.
  @_noLocks @_noAllocation
  mutating func begin(at frame: FrameTime) -> Bool {
    let continues = frame == now
    now = frame
    index = 0
    return continues
  }

  /// The line that holds for `now`.
  ///
  /// Where it is another clock's than the one before, whose elapsed beats are others, these are
  /// counted on from there, so that what waits for an end does not wait for another one.
  @_noLocks @_noAllocation
  mutating func line(of lines: BeatSegments) -> BeatSegment {
    while index + 1 < lines.count && lines[index + 1].from <= now { index &+= 1 }
    var line = lines[index]
    line.elapsed += ahead
    let gap = last.elapsed(at: now) - line.elapsed(at: now)
    // Lines of one clock leave no gap but what the arithmetic leaves.
    if abs(gap) > 1e-6 {
      ahead += gap
      line.elapsed += gap
    }
    last = line
    return line
  }

  /// The end of the line that holds for `now`, `end` if it holds on.
  @_noLocks @_noAllocation
  func endOfLine(of lines: BeatSegments, before end: FrameTime) -> FrameTime {
    if index + 1 < lines.count && lines[index + 1].from < end { return lines[index + 1].from }
    return end
  }

  @_noLocks @_noAllocation
  mutating func advance(to frame: FrameTime) { if frame > now { now = frame } }
}

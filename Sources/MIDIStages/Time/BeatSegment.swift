// Musical time over the frames of a call.

import Realtime

/// A range of frames over which musical time runs evenly, in beats of a quarter note.
///
/// It keeps the frame and beat that it was made from, for any number of calls. So results computed
/// from it are the same for every period.
struct BeatSegment: BitwiseCopyable {
  /// The first frame that it applies to.
  var from: FrameTime = 0
  var anchor: FrameTime = 0
  /// The position at the anchor, in beats.
  var beat = 0.0
  /// The beats elapsed at the anchor, regardless of jumps of the position.
  var elapsed = 0.0
  /// Beats per frame, above 0.
  var beatsPerFrame = 1.0 / 24000
  /// Whether the position is one in the song of a source; otherwise it only counts on.
  var isPositioned = false
  /// Whether the song is about to begin, and waits: no step is played meanwhile.
  var isWaiting = false
  /// A number that changes with each jump of the position.
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

  /// The first frame at which at least `elapsed` beats have passed.
  @_noLocks @_noAllocation
  func frame(ofElapsed elapsed: Double) -> FrameTime { frame(after: elapsed - self.elapsed) }

  /// The rounding error, in frames, by which a frame may be missed.
  private static var tolerance: Double { @_noLocks @_noAllocation get { 1e-3 } }

  @_noLocks @_noAllocation
  private func frame(after beats: Double) -> FrameTime {
    anchor &+ FrameTime(wholeNumber(notBelow: beats / beatsPerFrame - Self.tolerance))
  }
}

/// The segments of one call, in the order of their frames. The first applies from the call's start
/// or before.
///
/// The value is a handle: copies name the same segments.
struct BeatSegments: @unchecked Sendable, BitwiseCopyable {
  /// More than the changes that any clock makes in one call; beyond it the last one counts.
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

  /// - Thread: [control], after the last use of the segments.
  func deallocate() {
    lines.deallocate()
    used.deallocate()
  }

  /// The number of segments, at least 1.
  var count: Int { @_noLocks @_noAllocation get { used.pointee } }

  subscript(index: Int) -> BeatSegment { @_noLocks @_noAllocation get { lines[index] } }

  @_noLocks @_noAllocation
  func restart(with line: BeatSegment) {
    lines[0] = line
    used.pointee = 1
  }

  /// Appends the parts of other segments from a frame up to another.
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

  /// - Parameter line: applies from no earlier frame than the last one.
  @_noLocks @_noAllocation
  func append(_ line: BeatSegment) {
    if lines[used.pointee - 1].from < line.from && used.pointee < Self.capacity {
      used.pointee &+= 1
    }
    lines[used.pointee - 1] = line
  }
}

/// A stage's position in the segments of a call.
struct BeatCursor: BitwiseCopyable {
  /// The first frame that is still to be processed.
  private(set) var now: FrameTime = 0
  private var index = 0
  /// The segment used last, and the lead of its elapsed beats over the clock's.
  private var last = BeatSegment()
  private var ahead = 0.0

  /// - Thread: [control]
  init() {}

  /// Begins a call. - Returns: whether it continues the one before.
  @_noLocks @_noAllocation
  mutating func begin(at frame: FrameTime) -> Bool {
    let continues = frame == now
    now = frame
    index = 0
    return continues
  }

  /// The segment that applies at `now`.
  ///
  /// If the segment is of another clock than the one before, with other elapsed beats, these are
  /// counted on from there. So the ends that notes wait for do not move.
  @_noLocks @_noAllocation
  mutating func line(of lines: BeatSegments) -> BeatSegment {
    while index + 1 < lines.count && lines[index + 1].from <= now { index &+= 1 }
    var line = lines[index]
    line.elapsed += ahead
    let gap = last.elapsed(at: now) - line.elapsed(at: now)
    // Segments of one clock leave no gap except for rounding errors.
    if abs(gap) > 1e-6 {
      ahead += gap
      line.elapsed += gap
    }
    last = line
    return line
  }

  /// The end of the segment that applies at `now`; `end` if it continues.
  @_noLocks @_noAllocation
  func endOfLine(of lines: BeatSegments, before end: FrameTime) -> FrameTime {
    if index + 1 < lines.count && lines[index + 1].from < end { return lines[index + 1].from }
    return end
  }

  @_noLocks @_noAllocation
  mutating func advance(to frame: FrameTime) { if frame > now { now = frame } }
}

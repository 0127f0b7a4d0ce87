// The render side's end of a line.

import Realtime
import UnitRender

/// Captures a bus from one frame to another, and tells of what found no room or was skipped.
struct CaptureWriter: BitwiseCopyable {
  private let line: CaptureRing
  /// Whether it captures what comes.
  private(set) var isCapturing = false
  /// Frames of this take, lost and skipped ones too.
  private(set) var length = 0
  /// The frame behind the last one of the take.
  private var position = FrameTime.min
  /// A beginning that could not be told yet.
  private var untoldBegin = false
  private var beginFrame: FrameTime = 0
  /// Frames that found no room and have not been told of.
  private var untoldLoss = 0
  /// Frames that no cycle had and that have not been told of.
  private var untoldSkip = 0
  /// An end that could not be told yet.
  private var untoldEnd = false
  private var endFrame: FrameTime = 0
  /// How many beginnings have been told.
  private var toldTakes = 0

  /// - Parameter line: which outlives it.
  /// - Thread: [control]
  init(_ line: CaptureRing) { self.line = line }

  /// Begins a take. The frame may be before the next one that comes: what lies between was skipped.
  @_noLocks @_noAllocation
  mutating func begin(at frame: FrameTime) {
    isCapturing = true
    length = 0
    position = max(frame, position)
    // After an end that could not be told, what follows goes on with the take, behind a gap.
    if untoldEnd {
      untoldLoss = untoldLoss &+ Int(truncatingIfNeeded: max(0, position &- endFrame))
      untoldEnd = false
      return
    }
    untoldBegin = true
    beginFrame = position
    tell()
  }

  /// Ends the take. The frame may be before the next one that comes, as for a beginning.
  @_noLocks @_noAllocation
  mutating func end(at frame: FrameTime) {
    skip(to: frame)
    isCapturing = false
    untoldEnd = true
    endFrame = position
    tell()
  }

  /// Goes on at another frame, between which and the last one no time has passed.
  @_noLocks @_noAllocation
  mutating func move(to frame: FrameTime) { position = frame }

  /// Whether what is captured is kept by nobody, because its file cannot be written.
  var hasFailed: Bool {
    @_noLocks @_noAllocation get {
      isCapturing && !untoldBegin && toldTakes > 0 && line.failedTake == toldTakes
    }
  }

  /// Takes the frames of a slice of the first input bus.
  @_noLocks @_noAllocation
  mutating func capture(_ slice: RenderSlice) {
    let count = slice.frameCount
    let frame = slice.call.call.pointee.frame &+ FrameTime(slice.offset)
    skip(to: frame)
    position = frame &+ FrameTime(count)
    length = length &+ count
    let hasRoom = line.room >= count
    if hasRoom { tell() }
    if !hasRoom || untoldBegin || untoldLoss > 0 || untoldSkip > 0 {
      untoldLoss = untoldLoss &+ count
      return
    }
    var channel = 0
    while channel < line.channelCount {
      line.write(slice.input(channel: channel), channel: channel, count: count)
      channel &+= 1
    }
    line.advance(count)
  }

  /// Tells of an end that waits for room.
  @_noLocks @_noAllocation
  mutating func tellOfEnd() {
    if untoldEnd { tell() }
  }

  /// Has the take last until a frame, with what no cycle had.
  @_noLocks @_noAllocation
  private mutating func skip(to frame: FrameTime) {
    if frame <= position { return }
    let count = Int(truncatingIfNeeded: frame &- position)
    untoldSkip = untoldSkip &+ count
    length = length &+ count
    position = frame
  }

  /// Tells what has not been told, as far as there is room for it, in order.
  @_noLocks @_noAllocation
  private mutating func tell() {
    if untoldBegin {
      if !send(CaptureMark.begin, beginFrame) { return }
      untoldBegin = false
      toldTakes = toldTakes &+ 1
    }
    if untoldLoss > 0 {
      if !send(CaptureMark.loss, Int64(untoldLoss)) { return }
      untoldLoss = 0
    }
    if untoldSkip > 0 {
      if !send(CaptureMark.skip, Int64(untoldSkip)) { return }
      untoldSkip = 0
    }
    if untoldEnd, send(CaptureMark.end, endFrame) { untoldEnd = false }
  }

  @_noLocks @_noAllocation
  private func send(_ kind: Int, _ value: Int64) -> Bool {
    line.marks.trySend(CaptureMark(position: line.written, kind: kind, value: value))
  }
}

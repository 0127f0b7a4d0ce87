// The render side's end of a capture ring.

import Realtime
import UnitRender

/// Captures a bus from one frame to another, and sends marks for lost and skipped frames.
struct CaptureWriter: BitwiseCopyable {
  private let line: CaptureRing
  /// Whether it captures its input.
  private(set) var isCapturing = false
  /// Frames of this take, including lost and skipped ones.
  private(set) var length = 0
  /// The frame after the last one of the take.
  private var position = FrameTime.min
  /// Whether a begin mark is still to be sent.
  private var unsentBegin = false
  private var beginFrame: FrameTime = 0
  /// Frames lost to a full ring, in no mark yet.
  private var unsentLoss = 0
  /// Frames that no cycle rendered, in no mark yet.
  private var unsentSkip = 0
  /// Whether an end mark is still to be sent.
  private var unsentEnd = false
  private var endFrame: FrameTime = 0
  /// Count of begin marks sent.
  private var sentTakes = 0

  /// The number of the take, from 1, as the reading side counts.
  var take: Int { @_noLocks @_noAllocation get { sentTakes &+ (unsentBegin ? 1 : 0) } }

  /// Returns the place within the take of a frame that is still to be captured.
  @_noLocks @_noAllocation
  func offset(of frame: FrameTime) -> Int {
    length &+ Int(truncatingIfNeeded: max(0, frame &- position))
  }

  /// - Parameter line: must outlive the writer.
  /// - Thread: [control]
  init(_ line: CaptureRing) { self.line = line }

  /// Begins a take. `frame` may precede the next input frame: frames between them count as skipped.
  @_noLocks @_noAllocation
  mutating func begin(at frame: FrameTime) {
    isCapturing = true
    length = 0
    position = max(frame, position)
    // If the last end mark could not be sent, the take continues after a gap.
    if unsentEnd {
      unsentLoss = unsentLoss &+ Int(truncatingIfNeeded: max(0, position &- endFrame))
      unsentEnd = false
      return
    }
    unsentBegin = true
    beginFrame = position
    sendMarks()
  }

  /// Ends the take. `frame` may precede the next input frame, as in `begin`.
  @_noLocks @_noAllocation
  mutating func end(at frame: FrameTime) {
    skip(to: frame)
    isCapturing = false
    unsentEnd = true
    endFrame = position
    sendMarks()
  }

  /// Continues at another frame, as if no time had passed since the last one.
  @_noLocks @_noAllocation
  mutating func move(to frame: FrameTime) { position = frame }

  /// Whether captured frames are discarded, because the take's file cannot be written.
  var hasFailed: Bool {
    @_noLocks @_noAllocation get {
      isCapturing && !unsentBegin && sentTakes > 0 && line.failedTake == sentTakes
    }
  }

  /// Captures the frames of a slice of the first input bus.
  @_noLocks @_noAllocation
  mutating func capture(_ slice: RenderSlice) {
    let count = slice.frameCount
    let frame = slice.call.call.pointee.frame &+ FrameTime(slice.offset)
    skip(to: frame)
    position = frame &+ FrameTime(count)
    length = length &+ count
    let hasRoom = line.room >= count
    if hasRoom { sendMarks() }
    if !hasRoom || unsentBegin || unsentLoss > 0 || unsentSkip > 0 {
      unsentLoss = unsentLoss &+ count
      return
    }
    var channel = 0
    while channel < line.channelCount {
      line.write(slice.input(channel: channel), channel: channel, count: count)
      channel &+= 1
    }
    line.advance(count)
  }

  /// Retries to send a pending end mark.
  @_noLocks @_noAllocation
  mutating func sendEnd() {
    if unsentEnd { sendMarks() }
  }

  /// Extends the take to a frame, by frames that no cycle rendered.
  @_noLocks @_noAllocation
  private mutating func skip(to frame: FrameTime) {
    if frame <= position { return }
    let count = Int(truncatingIfNeeded: frame &- position)
    unsentSkip = unsentSkip &+ count
    length = length &+ count
    position = frame
  }

  /// Sends pending marks in order, as far as the ring has room.
  @_noLocks @_noAllocation
  private mutating func sendMarks() {
    if unsentBegin {
      if !send(CaptureMark.begin, beginFrame) { return }
      unsentBegin = false
      sentTakes = sentTakes &+ 1
    }
    if unsentLoss > 0 {
      if !send(CaptureMark.loss, Int64(unsentLoss)) { return }
      unsentLoss = 0
    }
    if unsentSkip > 0 {
      if !send(CaptureMark.skip, Int64(unsentSkip)) { return }
      unsentSkip = 0
    }
    if unsentEnd, send(CaptureMark.end, endFrame) { unsentEnd = false }
  }

  @_noLocks @_noAllocation
  private func send(_ kind: Int, _ value: Int64) -> Bool {
    line.marks.trySend(CaptureMark(position: line.written, kind: kind, value: value))
  }
}

// The render side's end of a line.

import Realtime
import UnitRender

/// Captures a bus from one frame to another, and tells of what found no room.
struct CaptureWriter: BitwiseCopyable {
  private let line: CaptureLine
  /// Whether it captures what comes.
  private(set) var isCapturing = false
  /// Frames of this take, lost ones too.
  private(set) var length = 0
  /// A beginning that could not be told yet.
  private var untoldBegin = false
  private var beginFrame: FrameTime = 0
  /// Frames that found no room and have not been told of.
  private var untoldGap = 0
  /// An end that could not be told yet.
  private var untoldEnd = false
  private var endFrame: FrameTime = 0

  /// - Parameter line: which outlives it.
  /// - Thread: [control]
  init(_ line: CaptureLine) { self.line = line }

  @_noLocks @_noAllocation
  mutating func begin(at frame: FrameTime) {
    isCapturing = true
    length = 0
    // After an end that could not be told, what follows goes on with the take, behind a gap.
    if untoldEnd {
      untoldGap = untoldGap &+ Int(truncatingIfNeeded: frame &- endFrame)
      untoldEnd = false
      return
    }
    untoldBegin = true
    beginFrame = frame
    tell()
  }

  @_noLocks @_noAllocation
  mutating func end(at frame: FrameTime) {
    isCapturing = false
    untoldEnd = true
    endFrame = frame
    tell()
  }

  /// Takes the frames of a slice of the first input bus.
  @_noLocks @_noAllocation
  mutating func capture(_ slice: RenderSlice) {
    let count = slice.frameCount
    length = length &+ count
    let hasRoom = line.room >= count
    if hasRoom { tell() }
    if !hasRoom || untoldBegin || untoldGap > 0 {
      untoldGap = untoldGap &+ count
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

  /// Tells what has not been told, as far as there is room for it, in order.
  @_noLocks @_noAllocation
  private mutating func tell() {
    if untoldBegin {
      if !send(CaptureMark.begin, beginFrame) { return }
      untoldBegin = false
    }
    if untoldGap > 0 {
      if !send(CaptureMark.gap, Int64(untoldGap)) { return }
      untoldGap = 0
    }
    if untoldEnd, send(CaptureMark.end, endFrame) { untoldEnd = false }
  }

  @_noLocks @_noAllocation
  private func send(_ kind: Int, _ value: Int64) -> Bool {
    line.marks.trySend(CaptureMark(position: line.written, kind: kind, value: value))
  }
}

// The recorder's kernel.

import Realtime
import UnitRender

/// Passes its input on, and captures it, or its MIDI, from one frame to another.
struct RecorderKernel: RenderKernel, ~Copyable {
  private let channelCount: Int
  private let values: ParameterValues
  private let secondsPerFrame: Double
  private var writer: CaptureWriter
  private var midi: MIDICapture
  /// Whether recording is on; capturing begins by `start`.
  private var isArmed: Bool
  /// Counter of the host's pauses.
  private let pauses: AtomicCounters
  private var seenPauses = 0
  /// The frame after the last call; `FrameTime.max` before the first call and after a pause.
  private var nextFrame = FrameTime.max

  /// - Parameters:
  ///   - line: must outlive the kernel, like `midi` and `pauses`. Without a channel it captures no
  ///     sound and only counts frames.
  ///   - channelCount: the count of the input's channels.
  ///   - pauses: a counter of the host's pauses.
  /// - Thread: [control]
  init(
    _ line: CaptureRing, _ midi: MIDICapture, channelCount: Int, values: ParameterValues,
    pauses: AtomicCounters, sampleRate: Double
  ) {
    self.pauses = pauses
    self.channelCount = channelCount
    self.midi = midi
    writer = CaptureWriter(line)
    self.values = values
    secondsPerFrame = 1 / sampleRate
    isArmed = values[Self.recording] >= 0.5
    values[Self.running] = 0
  }

  static var recording: Int { @_noLocks @_noAllocation get { 0 } }
  static var start: Int { @_noLocks @_noAllocation get { 1 } }
  static var running: Int { @_noLocks @_noAllocation get { 2 } }
  static var time: Int { @_noLocks @_noAllocation get { 3 } }

  @_noLocks @_noAllocation
  static func handlesBypass() -> Bool { true }

  @_noLocks @_noAllocation
  mutating func begin(_ call: RenderCallView) {
    let frame = call.call.pointee.frame
    let pauses = pauses[0]
    if pauses != seenPauses { nextFrame = .max }
    seenPauses = pauses
    // Frames since the last call were skipped, unless the clock changed or the host paused.
    if frame < nextFrame {
      nextFrame = frame
      writer.move(to: frame)
    }
    if writer.hasFailed { arm(false, at: nextFrame) }
    if midi.look(call.call.pointee.musicalContext), writer.isCapturing {
      sendTime(at: frame)
    }
    if values[Self.start] >= 1.5 {
      let context = call.call.pointee.musicalContext
      let isRolling = context.transportFlags & UInt32(kTransportMoving) != 0
      if isArmed, isRolling, !writer.isCapturing { beginTake(at: frame) }
      if writer.isCapturing, !isRolling { writer.end(at: frame) }
    } else if isArmed, !writer.isCapturing, values[Self.start] < 0.5 {
      beginTake(at: frame)
    }
  }

  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {
    // An event of a skipped frame takes effect at that frame, a late one at once.
    let own = event.pointee.frame &- FrameTime(event.pointee.lateFrames)
    let frame = own >= nextFrame ? own : max(event.pointee.frame, call.call.pointee.frame)
    switch event.pointee.eventKind {
    case .parameter?, .parameterRamp?:
      if event.pointee.address == 0 {
        arm(event.pointee.value >= 0.5, at: frame)
      } else if event.pointee.address == 1 {
        let value = event.pointee.value
        values[Self.start] = value >= 1.5 ? 2 : value >= 0.5 ? 1 : 0
      }
    case .midi?:
      let message = event.pointee.message
      let isNote = message.status & 0xF0 == 0x90 && message.value > 0
      let waits = values[Self.start] >= 0.5 && values[Self.start] < 1.5
      if isArmed, !writer.isCapturing, isNote, waits { beginTake(at: frame) }
      if writer.isCapturing {
        midi.send(event, take: writer.take, offset: writer.offset(of: frame))
      }
    case .systemExclusive? where writer.isCapturing:
      midi.sendSystemExclusive(
        event, in: list, take: writer.take, offset: writer.offset(of: frame))
    default: break
    }
  }

  @_noLocks @_noAllocation
  private mutating func arm(_ isWanted: Bool, at frame: FrameTime) {
    values[Self.recording] = isWanted ? 1 : 0
    if isWanted == isArmed { return }
    isArmed = isWanted
    if !isWanted {
      if writer.isCapturing { writer.end(at: frame) }
    } else if values[Self.start] < 0.5 {
      beginTake(at: frame)
    }
  }

  @_noLocks @_noAllocation
  private mutating func beginTake(at frame: FrameTime) {
    writer.begin(at: frame)
    sendTime(at: frame)
  }

  @_noLocks @_noAllocation
  private func sendTime(at frame: FrameTime) {
    midi.sendTime(take: writer.take, offset: writer.offset(of: frame))
  }

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    let count = slice.frameCount
    if writer.isCapturing { writer.capture(slice) }
    var channel = 0
    while channel < channelCount {
      Samples.copy(
        slice.input(channel: channel), to: slice.output(channel: channel), count: count)
      channel &+= 1
    }
  }

  @_noLocks @_noAllocation
  mutating func end(_ call: RenderCallView) {
    nextFrame = call.call.pointee.frame &+ FrameTime(call.frameCount)
    writer.sendEnd()
    values[Self.running] = writer.isCapturing ? 1 : 0
    values[Self.time] = Float(Double(writer.length) * secondsPerFrame)
  }

  /// Continues capturing: a panic ends sounds, not takes.
  @_noLocks @_noAllocation
  mutating func reset() {}
}

@_noLocks @_noAllocation
func recorderRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(RecorderKernel.self, context, call)
}

@_noLocks @_noAllocation
func recorderReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(RecorderKernel.self, context)
}

// The time-pitch unit's kernel.

import DSP
import Realtime
import UnitRender

/// Takes input at the speed of `rate`, sends it to the worker in blocks of one size, and plays the
/// returned blocks after a fixed delay.
struct TimePitchKernel: TimeEffectKernel, ~Copyable {
  /// Source of a frame of a call.
  private struct Frame: BitwiseCopyable {
    var stretch = StretchFrame()
    /// The frame after the last input frame that it needs.
    var end = 0
  }

  static var maximumRate: Int { @_noLocks @_noAllocation get { 4 } }
  /// Largest distance of the head from the frames taken, at the start of a call.
  static var extraFrames: Int { @_noLocks @_noAllocation get { 5 } }

  private let values: ParameterValues
  private let channelCount: Int
  private var rate: LinearRamp
  private var cents: LinearRamp
  private var head = ReadHead()
  /// Count of frames taken.
  private var taken = 0
  private let plan: UnsafeMutablePointer<Frame>
  /// Input taken for a call, and the number of its first frame.
  private let memory: UnsafeMutablePointer<Float>
  private let capacity: Int
  private var first = 0
  private var blocks: StretchBlocks
  /// Retained until the kernel is freed.
  private let worker: Unmanaged<StretchWorker>

  /// - Parameter values: the values of rate and cents.
  /// - Thread: [control]
  init(
    _ worker: StretchWorker, _ timing: StretchTiming, sampleRate: Double, maximumFrames: Int,
    values: ParameterValues
  ) {
    self.values = values
    self.worker = .passRetained(worker)
    channelCount = worker.line.channelCount
    rate = LinearRamp(value: Double(values[0]), sampleRate: sampleRate)
    cents = LinearRamp(value: Double(values[1]), sampleRate: sampleRate)
    plan = .allocate(capacity: maximumFrames)
    plan.initialize(repeating: Frame(), count: maximumFrames)
    capacity = maximumFrames * Self.maximumRate + Self.extraFrames
    memory = .allocate(capacity: capacity * channelCount)
    memory.initialize(repeating: 0, count: capacity * channelCount)
    blocks = StretchBlocks(worker.line, timing, worker.report.words)
  }

  deinit {
    worker.takeUnretainedValue().end()
    worker.release()
    blocks.deallocate()
    plan.deallocate()
    memory.deallocate()
  }

  @_noLocks @_noAllocation
  static func handlesBypass() -> Bool { true }

  @_noLocks @_noAllocation
  mutating func demand(_ call: RenderCallView, before: UnsafeMutablePointer<Int32>) -> Int {
    var isBypassed = call.call.pointee.flags & UInt32(kRenderCallBypass) != 0
    let start = call.call.pointee.frame
    var end = taken
    var next = call.events?.first
    var index = 0
    while index < call.frameCount {
      while let event = next, event.pointee.frame <= start &+ FrameTime(index) {
        if event.pointee.isBypass { isBypassed = event.pointee.value >= 0.5 } else { apply(event) }
        next = call.events?.next(after: event)
      }
      let speed = rate.next()
      let pitch = heardCents()
      let rests = isBypassed || !rate.isRamping
      let step = head.step(at: isBypassed ? 1 : speed, rests: rests)
      before[index] = Int32(truncatingIfNeeded: end &- taken)
      end = max(end, head.frame &+ 1)
      plan[index] = Frame(
        stretch: StretchFrame(
          newest: head.frame, fraction: head.fraction, cents: isBypassed ? 0 : pitch,
          isPlain: rests && step == ReadHead.one && head.fraction == 0),
        end: end)
      head.advance(by: step)
      index &+= 1
    }
    first = taken
    return end &- taken
  }

  /// The pitch of the next frame. A ramp that only crosses the input's own pitch gets 0.001 cents
  /// instead: a plain frame would crossfade to the input and back.
  @_noLocks @_noAllocation
  private mutating func heardCents() -> Float {
    let isMoving = cents.isRamping
    let value = Float(cents.next())
    return isMoving && cents.isRamping && value == 0 ? 0.001 : value
  }

  @_noLocks @_noAllocation
  private mutating func apply(_ event: UnsafeMutablePointer<RenderEvent>) {
    guard event.pointee.isParameter, event.pointee.address <= 1 else { return }
    let isRate = event.pointee.address == 0
    let given = event.pointee.value
    let value = isRate ? max(0.25, min(given, 4)) : max(-2400, min(given, 2400))
    // Without a ramp the value applies at once: the output is continuous at any of them.
    let frames = max(event.pointee.rampFrames, 1)
    if isRate {
      rate.start(to: Double(value), overFrames: frames)
    } else {
      cents.start(to: Double(value), overFrames: frames)
    }
    if event.pointee.rampFrames == 0 { values[isRate ? 0 : 1] = value }
  }

  @_noLocks @_noAllocation
  mutating func take(_ call: RenderCallView, frameCount: Int) {
    let offset = taken &- first
    let count = max(0, min(frameCount, capacity &- offset))
    var channel = 0
    while channel < channelCount {
      let destination = memory + (channel &* capacity &+ offset)
      if let input = call.input(0)[channel] {
        Samples.copy(input, to: destination, count: count)
      } else {
        Samples.clear(destination, count: count)
      }
      channel &+= 1
    }
    taken &+= count
  }

  /// Events were applied by `demand`.
  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {}

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    let isOffline = slice.call.call.pointee.flags & UInt32(kRenderCallOffline) != 0
    var done = 0
    while done < slice.frameCount {
      let count = blocks.prepare(slice.frameCount &- done, isOffline: isOffline)
      collect(from: slice.offset &+ done, count: count)
      var channel = 0
      while channel < channelCount {
        blocks.play(channel, to: slice.output(channel: channel) + done, count: count)
        channel &+= 1
      }
      blocks.advance(by: count)
      done &+= count
    }
  }

  /// Adds frames of the call to the block.
  @_noLocks @_noAllocation
  private mutating func collect(from index: Int, count: Int) {
    let start = index > 0 ? plan[index &- 1].end : first
    let needed = plan[index &+ count &- 1].end &- start
    var channel = 0
    while channel < channelCount {
      blocks.collect(
        channel, memory + (channel &* capacity &+ start &- first), from: start, count: needed)
      channel &+= 1
    }
    blocks.took(from: start, needed)
    var frame = 0
    while frame < count {
      blocks.collect(plan[index &+ frame].stretch, at: frame)
      frame &+= 1
    }
  }

  @_noLocks @_noAllocation
  mutating func end(_ call: RenderCallView) {
    if let reading = rate.takeReading() { values[0] = Float(reading) }
    if let reading = cents.takeReading() { values[1] = Float(reading) }
  }

  @_noLocks @_noAllocation
  mutating func reset() {
    blocks.reset()
    head.move(to: taken)
    first = taken
  }
}

@_noLocks @_noAllocation
func timePitchRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(TimePitchKernel.self, context, call)
}

@_noLocks @_noAllocation
func timePitchReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(TimePitchKernel.self, context)
}

@_noLocks @_noAllocation
func timePitchDemand(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>,
  _ before: UnsafeMutablePointer<Int32>
) -> Int32 {
  driveDemand(TimePitchKernel.self, context, call, before)
}

@_noLocks @_noAllocation
func timePitchTake(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>, _ frameCount: UInt32
) {
  driveTake(TimePitchKernel.self, context, call, frameCount)
}

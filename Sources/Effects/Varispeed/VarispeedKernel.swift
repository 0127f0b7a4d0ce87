// The varispeed's render side.

import DSP
import Realtime
import UnitRender

/// Plays its input at the speed of the `rate` parameter.
struct VarispeedKernel: TimeEffectKernel, ~Copyable {
  /// The plan for one output frame.
  private struct Frame: BitwiseCopyable {
    /// The newest input frame needed, counted from the first ever taken. It is
    /// `VariableReader.delayFrames` after the frame that is heard.
    var newest = 0
    var fraction = 0
    var step = 0
  }

  static var maximumRate: Int { @_noLocks @_noAllocation get { 4 } }
  /// The largest distance of the head from the taken input at the start of a call.
  static var extraFrames: Int { @_noLocks @_noAllocation get { 5 } }

  private let values: ParameterValues
  private let channelCount: Int
  private var rate: LinearRamp
  private var head = ReadHead()
  private var reader: VariableReader
  private let plan: UnsafeMutablePointer<Frame>

  /// - Parameter values: the initial rate, and the store for the published one.
  /// - Thread: [control]
  init(channelCount: Int, sampleRate: Double, maximumFrames: Int, values: ParameterValues) {
    self.values = values
    self.channelCount = channelCount
    rate = LinearRamp(value: Double(values[0]), sampleRate: sampleRate)
    reader = VariableReader(
      channelCount: channelCount,
      maximumFrames: maximumFrames * Self.maximumRate + Self.extraFrames)
    plan = .allocate(capacity: maximumFrames)
    plan.initialize(repeating: Frame(), count: maximumFrames)
  }

  deinit { plan.deallocate() }

  @_noLocks @_noAllocation
  static func handlesBypass() -> Bool { true }

  @_noLocks @_noAllocation
  mutating func demand(_ call: RenderCallView, before: UnsafeMutablePointer<Int32>) -> Int {
    var isBypassed = call.call.pointee.flags & UInt32(kRenderCallBypass) != 0
    let start = call.call.pointee.frame
    reader.discard(before: head.frame &- VariableReader.delayFrames)
    let taken = reader.end
    var end = taken
    var next = call.events?.first
    var index = 0
    while index < call.frameCount {
      while let event = next, event.pointee.frame <= start &+ FrameTime(index) {
        if event.pointee.isBypass { isBypassed = event.pointee.value >= 0.5 } else { apply(event) }
        next = call.events?.next(after: event)
      }
      let speed = rate.next()
      let step = head.step(at: isBypassed ? 1 : speed, rests: isBypassed || !rate.isRamping)
      before[index] = Int32(truncatingIfNeeded: end &- taken)
      end = max(end, head.frame &+ 1)
      plan[index] = Frame(newest: head.frame, fraction: head.fraction, step: step)
      head.advance(by: step)
      index &+= 1
    }
    return end &- taken
  }

  @_noLocks @_noAllocation
  private mutating func apply(_ event: UnsafeMutablePointer<RenderEvent>) {
    guard event.pointee.isParameter, event.pointee.address == 0 else { return }
    let given = event.pointee.value
    let value = max(0.25, min(given, 4))
    // A value set without a ramp applies at once: the output is continuous at any speed.
    rate.start(to: Double(value), overFrames: max(event.pointee.rampFrames, 1))
    if event.pointee.rampFrames == 0 { values[0] = value }
  }

  @_noLocks @_noAllocation
  mutating func take(_ call: RenderCallView, frameCount: Int) {
    let count = min(frameCount, reader.room)
    var channel = 0
    while channel < channelCount {
      let destination = reader.destination(ofChannel: channel)
      if let input = call.input(0)[channel] {
        Samples.copy(input, to: destination, count: count)
      } else {
        Samples.clear(destination, count: count)
      }
      channel &+= 1
    }
    reader.take(count)
  }

  /// Does nothing: `demand` applies the events.
  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {}

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    var index = 0
    while index < slice.frameCount {
      let frame = plan[slice.offset &+ index]
      let place = frame.newest &- VariableReader.delayFrames
      var channel = 0
      if frame.step == ReadHead.one && frame.fraction == 0 {
        while channel < channelCount {
          slice.output(channel: channel)[index] = reader.sample(channel, at: place)
          channel &+= 1
        }
      } else {
        let aim = reader.aim(
          at: place, fraction: Double(frame.fraction) * (1 / 4_294_967_296),
          speed: Double(frame.step) * (1 / 4_294_967_296))
        while channel < channelCount {
          slice.output(channel: channel)[index] = reader.read(channel, aim)
          channel &+= 1
        }
      }
      index &+= 1
    }
  }

  @_noLocks @_noAllocation
  mutating func end(_ call: RenderCallView) {
    if let reading = rate.takeReading() { values[0] = Float(reading) }
  }

  @_noLocks @_noAllocation
  mutating func reset() {
    reader.reset()
    head.move(to: reader.end)
  }
}

@_noLocks @_noAllocation
func varispeedRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(VarispeedKernel.self, context, call)
}

@_noLocks @_noAllocation
func varispeedReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(VarispeedKernel.self, context)
}

@_noLocks @_noAllocation
func varispeedDemand(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>,
  _ before: UnsafeMutablePointer<Int32>
) -> Int32 {
  driveDemand(VarispeedKernel.self, context, call, before)
}

@_noLocks @_noAllocation
func varispeedTake(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>, _ frameCount: UInt32
) {
  driveTake(VarispeedKernel.self, context, call, frameCount)
}

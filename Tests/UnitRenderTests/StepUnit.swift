// A small unit: its output is its input times parameter 0, plus the last note's key.

import Realtime
import UnitRender

struct StepKernel: RenderKernel, ~Copyable {
  var gain: Float = 1
  var key: Float = 0
  var resets = 0

  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {
    switch event.pointee.eventKind {
    case .parameter?: gain = event.pointee.value
    case .midi?:
      key = Float(event.pointee.bytes.1)
      if let output = call.midiOutput { _ = output.insert(event.pointee) }
    default: break
    }
  }

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    let input = slice.input(channel: 0)
    let output = slice.output(channel: 0)
    var frame = 0
    while frame < slice.frameCount {
      output[frame] = input[frame] * gain + key
      frame += 1
    }
  }

  @_noLocks @_noAllocation
  mutating func reset() {
    key = 0
    resets += 1
  }
}

@_noLocks @_noAllocation
func stepRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(StepKernel.self, context, call)
}

@_noLocks @_noAllocation
func stepReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(StepKernel.self, context)
}

/// The unit, hosted, with one channel in and out.
final class StepUnit {
  let context: UnsafeMutablePointer<KernelContext>
  let inlet = EventInlet(capacity: 256, payloadCapacity: 4096)
  let switches = UnitSwitches()
  let hosted: HostedUnit
  let maximumFrames: Int

  init(maximumFrames: Int, parameters: [UInt64: ParameterLimits] = [:]) {
    self.maximumFrames = maximumFrames
    context = KernelContext.allocate(
      StepKernel(), outputChannels: [1], maximumFrames: maximumFrames, parameters: parameters)
    hosted = HostedUnit(
      UnitRenderHandle(
        InternalRender(render: stepRender, reset: stepReset, context: context),
        inlet: inlet.reader, switches: switches),
      inputChannels: [1], outputChannels: [1], maximumFrames: maximumFrames)
  }

  deinit {
    hosted.deallocate()
    KernelContext.deallocate(context, of: StepKernel.self)
    switches.deallocate()
  }

  /// Renders one cycle over `input`; `midi` joins the list as a port's MIDI would.
  func cycle(
    at frame: FrameTime, _ input: [Float], midi: [RenderEvent] = []
  ) -> (output: [Float], status: Int32) {
    var input = input
    var output = [Float](repeating: .nan, count: input.count)
    let status = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        hosted.beginCycle(at: frame, frameCount: input.count)
        for event in midi { _ = hosted.events.insert(event) }
        hosted.call.input(0)[0] = input.baseAddress
        hosted.call.output(0)[0] = output.baseAddress
        defer { hosted.endCycle() }
        return hosted.render(at: frame, frameCount: input.count)
      }
    }
    return (output, status)
  }
}

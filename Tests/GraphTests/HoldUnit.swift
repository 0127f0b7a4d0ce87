// A time effect for tests of graphs, which repeats or leaves out frames.

import Realtime
import UnitModel
import UnitRender

/// Output frame n is the input's frame ⌊n · rate⌋ if the rate never changes. At rate 1 it is
/// the input itself.
struct HoldKernel: TimeEffectKernel, ~Copyable {
  /// Position in the input, in 256ths of a frame.
  var place = 0
  var rate = 256
  var taken = 0
  var last: Float = 0
  let memory: UnsafeMutablePointer<Float>
  let plan: UnsafeMutablePointer<Int>
  /// The first frame in the memory.
  var first = 0

  init(memory: UnsafeMutablePointer<Float>, plan: UnsafeMutablePointer<Int>) {
    (self.memory, self.plan) = (memory, plan)
  }

  deinit {
    memory.deallocate()
    plan.deallocate()
  }

  @_noLocks @_noAllocation
  mutating func demand(_ call: RenderCallView, before: UnsafeMutablePointer<Int32>) -> Int {
    let end = call.call.pointee.frame &+ FrameTime(call.frameCount)
    // The last frame may be played again.
    memory[0] = taken > 0 ? memory[taken - first - 1] : 0
    first = taken - 1
    var needed = taken
    var next = call.events?.first
    var index = 0
    while index < call.frameCount {
      let frame = call.call.pointee.frame &+ FrameTime(index)
      while let event = next, event.pointee.frame <= frame, event.pointee.frame < end {
        if event.pointee.isParameter { rate = Int(event.pointee.value * 256) }
        next = call.events?.next(after: event)
      }
      before[index] = Int32(needed - taken)
      needed = max(needed, place / 256 + 1)
      plan[index] = place / 256
      place += rate
      index += 1
    }
    return needed - taken
  }

  @_noLocks @_noAllocation
  mutating func take(_ call: RenderCallView, frameCount: Int) {
    var frame = 0
    while frame < frameCount {
      memory[taken - first + frame] = call.input(0)[0].unsafelyUnwrapped[frame]
      frame += 1
    }
    taken += frameCount
  }

  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {}

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    var frame = 0
    while frame < slice.frameCount {
      slice.output(channel: 0)[frame] = memory[plan[slice.offset + frame] - first]
      frame += 1
    }
  }

  @_noLocks @_noAllocation
  mutating func reset() {}
}

@_noLocks @_noAllocation
func holdRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(HoldKernel.self, context, call)
}

@_noLocks @_noAllocation
func holdReset(_ context: UnsafeMutableRawPointer) { resetKernel(HoldKernel.self, context) }

@_noLocks @_noAllocation
func holdDemand(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>,
  _ before: UnsafeMutablePointer<Int32>
) -> Int32 {
  driveDemand(HoldKernel.self, context, call, before)
}

@_noLocks @_noAllocation
func holdTake(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>, _ frameCount: UInt32
) {
  driveTake(HoldKernel.self, context, call, frameCount)
}

final class HoldUnit: AudioUnit, TimeEffect, @unchecked Sendable {
  init(rate: Float = 1) throws {
    func bus(_ type: BusType) throws -> Bus {
      try Bus(
        type, format: AudioFormat(sampleRate: 48_000, channelCount: 1), supportedChannelCounts: [1])
    }
    super.init(
      componentDescription: ComponentDescription(
        type: .effect, subtype: "hold", manufacturer: "Test"),
      inputBusses: BusArray(.input, [try bus(.input)]),
      outputBusses: BusArray(.output, [try bus(.output)]),
      parameterTree: try ParameterTree(children: [
        Parameter(
          identifier: "rate", name: "Rate", address: 0, range: 0.25...4, defaultValue: rate)
      ]))
  }

  override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    let frames = maximumFramesToRender
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 4 * frames + 16)
    memory.initialize(repeating: 0, count: 4 * frames + 16)
    let plan = UnsafeMutablePointer<Int>.allocate(capacity: frames)
    plan.initialize(repeating: 0, count: frames)
    var kernel = HoldKernel(memory: memory, plan: plan)
    kernel.rate = Int(parameterValues[0] * 256)
    return RenderResources(
      timeEffect: kernel, for: self,
      functions: TimeEffectRender(
        demand: holdDemand, take: holdTake, maximumRate: 4, extraFrames: 4),
      render: holdRender, reset: holdReset)
  }
}

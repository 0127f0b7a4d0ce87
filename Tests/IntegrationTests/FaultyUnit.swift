// A unit that fails on demand.

import Realtime
import UnitModel
import UnitRender

/// A kernel with the output 0.5. Key 1 makes its call fail, key 2 outputs NaN, key 3 infinity, on
/// the note's frame.
struct FaultyKernel: RenderKernel, ~Copyable {
  var key: UInt8 = 0
  var hasFailed = false

  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {
    if case .midi? = event.pointee.eventKind { key = event.pointee.bytes.1 }
  }

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    var channel = 0
    while channel < 2 {
      var frame = 0
      while frame < slice.frameCount {
        slice.output(channel: channel)[frame] = 0.5
        frame += 1
      }
      if key == 2 { slice.output(channel: channel)[0] = .nan }
      if key == 3 { slice.output(channel: channel)[0] = .infinity }
      channel += 1
    }
    if key == 1 { hasFailed = true }
    key = 0
  }

  @_noLocks @_noAllocation
  mutating func reset() { hasFailed = false }
}

@_noLocks @_noAllocation
func faultyRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  let status = driveKernel(FaultyKernel.self, context, call)
  let kernel = context.assumingMemoryBound(to: KernelContext.self).pointee
    .kernel(as: FaultyKernel.self)
  return kernel.pointee.hasFailed ? RenderStatus.noConnection : status
}

@_noLocks @_noAllocation
func faultyReset(_ context: UnsafeMutableRawPointer) { resetKernel(FaultyKernel.self, context) }

final class FaultyUnit: AudioUnit, @unchecked Sendable {
  init() throws {
    super.init(
      componentDescription: ComponentDescription(
        type: .instrument, subtype: "faul", manufacturer: "Test"),
      outputBusses: BusArray(.output, [try Bus(.output)]),
      parameterTree: try ParameterTree(children: []))
  }

  override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    RenderResources(FaultyKernel(), for: self, render: faultyRender, reset: faultyReset)
  }
}

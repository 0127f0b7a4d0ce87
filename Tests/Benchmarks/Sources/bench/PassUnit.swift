// A unit that copies its input to its output.

import Auricle

struct PassKernel: RenderKernel, ~Copyable {
  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {}

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    Samples.copy(
      slice.input(channel: 0), to: slice.output(channel: 0), count: slice.frameCount)
    Samples.copy(
      slice.input(channel: 1), to: slice.output(channel: 1), count: slice.frameCount)
  }

  @_noLocks @_noAllocation
  mutating func reset() {}
}

final class PassUnit: AudioUnit, @unchecked Sendable {
  init() throws {
    try super.init(
      componentDescription: ComponentDescription(
        type: .effect, subtype: "pass", manufacturer: "Bnch"),
      inputBusses: BusArray(.input, [Bus(.input)]),
      outputBusses: BusArray(.output, [Bus(.output)]),
      parameterTree: ParameterTree(children: []))
  }

  override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    RenderResources(PassKernel(), for: self, render: passRender, reset: passReset)
  }
}

@_noLocks @_noAllocation
private func passRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(PassKernel.self, context, call)
}

@_noLocks @_noAllocation
private func passReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(PassKernel.self, context)
}

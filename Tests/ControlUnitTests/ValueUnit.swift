// A unit whose outputs are the values of its parameters, frame by frame.

import Realtime
import UnitModel
import UnitRender

/// Parameters of all kinds: `level` (-12 to 127, linear), `pitch` (20 to 20000 Hz, logarithmic) and
/// `choice` (0 to 4, whole; a reset makes it 4). Output bus n holds the value of parameter n.
final class ValueUnit: AudioUnit, @unchecked Sendable {
  init() throws {
    let format = try AudioFormat(sampleRate: 48_000, channelCount: 1)
    try super.init(
      componentDescription: ComponentDescription(
        type: .generator, subtype: "valu", manufacturer: "Test"),
      outputBusses: BusArray(
        .output,
        (0..<3).map { try Bus(.output, format: format, name: "\($0)") }),
      parameterTree: ParameterTree(children: [
        Parameter(
          identifier: "level", name: "Level", address: 0, range: -12...127, defaultValue: 0,
          flags: [.readable, .writable, .canRamp]),
        Parameter(
          identifier: "pitch", name: "Pitch", address: 1, range: 20...20_000, unit: .hertz,
          flags: [.readable, .writable, .displayLogarithmic]),
        Parameter(
          identifier: "choice", name: "Choice", address: 2, range: 0...4, isWhole: true),
      ]))
  }

  override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    RenderResources(
      ValueKernel(parameterValues), for: self, render: valueRender, reset: valueReset)
  }
}

private struct ValueKernel: RenderKernel, ~Copyable {
  let published: ParameterValues
  var values = InlineArray<3, Float>(repeating: 0)

  init(_ published: ParameterValues) {
    self.published = published
    for index in 0..<3 { values[index] = published[index] }
  }

  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {
    guard event.pointee.isParameter, event.pointee.address < 3 else { return }
    let index = Int(event.pointee.address)
    values[index] = event.pointee.value
    published[index] = event.pointee.value
  }

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    var bus = 0
    while bus < 3 {
      let output = slice.output(bus: bus, channel: 0)
      var frame = 0
      while frame < slice.frameCount {
        output[frame] = values[bus]
        frame += 1
      }
      bus += 1
    }
  }

  @_noLocks @_noAllocation
  mutating func reset() { values[2] = 4 }
}

@_noLocks @_noAllocation
private func valueRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(ValueKernel.self, context, call)
}

@_noLocks @_noAllocation
private func valueReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(ValueKernel.self, context)
}

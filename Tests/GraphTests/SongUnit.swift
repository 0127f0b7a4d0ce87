// A source for tests of graphs: each frame is its position in the song.

import Realtime
import UnitModel
import UnitRender

struct SongKernel: RenderKernel, ~Copyable {
  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {}

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    let position = slice.call.call.pointee.musicalContext.samplePosition
    var frame = 0
    while frame < slice.frameCount {
      slice.output(channel: 0)[frame] = Float(position) + Float(slice.offset + frame)
      frame += 1
    }
  }

  @_noLocks @_noAllocation
  mutating func reset() {}
}

@_noLocks @_noAllocation
func songRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(SongKernel.self, context, call)
}

@_noLocks @_noAllocation
func songReset(_ context: UnsafeMutableRawPointer) { resetKernel(SongKernel.self, context) }

final class SongUnit: AudioUnit, @unchecked Sendable {
  init() throws {
    let format = try AudioFormat(sampleRate: 48_000, channelCount: 1)
    super.init(
      componentDescription: ComponentDescription(
        type: .generator, subtype: "song", manufacturer: "Test"),
      outputBusses: BusArray(
        .output, [try Bus(.output, format: format, supportedChannelCounts: [1])]),
      parameterTree: try ParameterTree(children: []))
  }

  override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    RenderResources(SongKernel(), for: self, render: songRender, reset: songReset)
  }
}

// The render side of the gain.

import Auricle

/// Multiplies each channel by the gain.
struct GainKernel: RenderKernel, ~Copyable {
  var gain: Float
  /// 1, or -1 for the other polarity.
  let sign: Float
  let values: ParameterValues

  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {
    guard event.pointee.isParameter, event.pointee.address == 0 else { return }
    gain = event.pointee.value
    values[0] = gain
  }

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    var channel = 0
    while channel < slice.call.output(0).channelCount {
      let input = slice.input(channel: channel)
      let output = slice.output(channel: channel)
      var frame = 0
      while frame < slice.frameCount {
        output[frame] = input[frame] * gain * sign
        frame += 1
      }
      channel += 1
    }
  }

  @_noLocks @_noAllocation
  mutating func reset() {}
}

@_noLocks @_noAllocation
func gainRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(GainKernel.self, context, call)
}

@_noLocks @_noAllocation
func gainReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(GainKernel.self, context)
}

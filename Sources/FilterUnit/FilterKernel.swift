// The low-pass filter's render side.

import DSP
import Realtime
import UnitRender

/// Renders the filter: parameter events move cutoff and resonance, frames pass the filter.
struct FilterKernel: RenderKernel, ~Copyable {
  private var filter: ResonantLowPass
  private let values: ParameterValues
  private let channels: ChannelTables
  /// 1 is filtered, 0 is the input.
  private var wet: LinearRamp
  private var isBypassed: Bool

  /// - Parameters:
  ///   - values: cutoff and resonance, in this order: where the filter starts.
  ///   - isBypassed: whether it starts bypassed, without a fade.
  /// - Thread: [control]
  init(
    channelCount: Int, sampleRate: Double, maximumFrames: Int, values: ParameterValues,
    isBypassed: Bool
  ) {
    self.values = values
    filter = ResonantLowPass(
      channelCount: channelCount, sampleRate: sampleRate,
      cutoffHertz: Double(values[0]),
      resonanceDecibels: Double(values[1]))
    channels = ChannelTables(count: channelCount, frames: maximumFrames)
    wet = LinearRamp(value: isBypassed ? 0 : 1, sampleRate: sampleRate)
    self.isBypassed = isBypassed
  }

  deinit { channels.deallocate() }

  @_noLocks @_noAllocation
  static func handlesBypass() -> Bool { true }

  @_noLocks @_noAllocation
  mutating func begin(_ call: RenderCallView) {
    let bypass = call.call.pointee.flags & UInt32(kRenderCallBypass) != 0
    if bypass == isBypassed { return }
    isBypassed = bypass
    // After a bypass the filter knows nothing of the signal: it starts anew under the fade.
    if !bypass && wet.value == 0 { filter.reset() }
    wet.start(to: bypass ? 0 : 1, overFrames: 0)
  }

  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {
    switch event.pointee.eventKind {
    case .parameter?, .parameterRamp?: break
    default: return
    }
    let given = event.pointee.value
    let value: Float
    switch event.pointee.address {
    case 0:
      value = max(12, min(given, 20_000))
      filter.rampCutoff(toHertz: Double(value), overFrames: event.pointee.rampFrames)
    case 1:
      value = max(-20, min(given, 20))
      filter.rampResonance(toDecibels: Double(value), overFrames: event.pointee.rampFrames)
    default: return
    }
    // What is set without a ramp reads as set; what ramps reads as it sounds, see `end`.
    if event.pointee.rampFrames == 0 { values[Int(event.pointee.address)] = value }
  }

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    channels.point(to: slice)
    if wet.value == 0 && !wet.isRamping {
      filter.advanceRamps(by: slice.frameCount)
      channels.copyInputs(frames: slice.frameCount)
    } else if wet.isRamping {
      renderFade(slice)
    } else if filter.isAtRest && channels.inputsAreSilent(frames: slice.frameCount) {
      filter.advanceRamps(by: slice.frameCount)
      channels.clearOutputs(frames: slice.frameCount)
    } else {
      filter.process(
        inputs: channels.inputs, outputs: channels.outputs, offset: 0,
        frameCount: slice.frameCount)
    }
  }

  /// Filters into own memory and fades between that and the input.
  @_noLocks @_noAllocation
  private mutating func renderFade(_ slice: RenderSlice) {
    filter.process(
      inputs: channels.inputs, outputs: channels.scratch, offset: 0, frameCount: slice.frameCount)
    let start = wet
    var channel = 0
    while channel < channels.count {
      var ramp = start
      let dry = channels.inputs[channel]
      let filtered = channels.scratch[channel]
      let output = channels.outputs[channel]
      var frame = 0
      while frame < slice.frameCount {
        let mix = Float(ramp.next())
        // Past its end the fade gives what no fade would, to the bit, wherever the slice ends.
        output[frame] =
          ramp.isRamping
          ? dry[frame] + (filtered[frame] - dry[frame]) * mix
          : mix == 0 ? dry[frame] : filtered[frame]
        frame += 1
      }
      wet = ramp
      channel += 1
    }
  }

  @_noLocks @_noAllocation
  mutating func end(_ call: RenderCallView) {
    if let cutoff = filter.takeCutoffReading() { values[0] = Float(cutoff) }
    if let resonance = filter.takeResonanceReading() { values[1] = Float(resonance) }
  }

  @_noLocks @_noAllocation
  mutating func reset() { filter.reset() }
}

@_noLocks @_noAllocation
func filterRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(FilterKernel.self, context, call)
}

@_noLocks @_noAllocation
func filterReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(FilterKernel.self, context)
}

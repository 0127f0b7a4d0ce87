// The low-pass filter's render side.

import DSP
import Realtime
import UnitRender

/// Renders the filter: parameter events set cutoff and resonance, and frames pass the filter.
struct FilterKernel: RenderKernel, ~Copyable {
  private var filter: ResonantLowPass
  private let values: ParameterValues
  private let channels: ChannelTables

  /// - Parameter values: the initial cutoff and resonance, in this order, and the store for
  ///   published values.
  /// - Thread: [control]
  init(channelCount: Int, sampleRate: Double, values: ParameterValues) {
    self.values = values
    filter = ResonantLowPass(
      channelCount: channelCount, sampleRate: sampleRate,
      cutoffHertz: Double(values[0]),
      resonanceDecibels: Double(values[1]))
    channels = ChannelTables(count: channelCount)
  }

  deinit { channels.deallocate() }

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
    // A value set without a ramp reads back as set, a ramping one as it sounds; see `end`.
    if event.pointee.rampFrames == 0 { values[Int(event.pointee.address)] = value }
  }

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    channels.point(to: slice)
    if filter.isAtRest && channels.inputsAreSilent(frames: slice.frameCount) {
      filter.advanceRamps(by: slice.frameCount)
      channels.clearOutputs(frames: slice.frameCount)
    } else {
      filter.process(
        inputs: channels.inputs, outputs: channels.outputs, offset: 0,
        frameCount: slice.frameCount)
    }
  }

  @_noLocks @_noAllocation
  mutating func skip(_ frameCount: Int) { filter.advanceRamps(by: frameCount) }

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

// The low-pass filter's render side.

import DSP
import Realtime
import UnitRender

/// Renders the filter: parameter events set cutoff and resonance, and frames pass the filter.
struct FilterKernel: RenderKernel, ~Copyable {
  private var filter: ResonantLowPass
  private var parameters: ParameterTable
  private let channels: ChannelTables

  /// - Parameters:
  ///   - values: the initial cutoff and resonance, in this order, and the store for published
  ///     values.
  ///   - parameters: their ranges.
  /// - Thread: [control]
  init(
    channelCount: Int, sampleRate: Double, values: ParameterValues, parameters: [ParameterLimits]
  ) {
    self.parameters = ParameterTable(parameters, values: values)
    filter = ResonantLowPass(
      channelCount: channelCount, sampleRate: sampleRate,
      cutoffHertz: Double(values[0]),
      resonanceDecibels: Double(values[1]))
    channels = ChannelTables(count: channelCount)
  }

  deinit {
    channels.deallocate()
    parameters.deallocate()
  }

  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {
    guard let change = parameters.change(event) else { return }
    _ = answer(change.index, change.request)
  }

  @_noLocks @_noAllocation
  private mutating func answer(_ index: Int, _ request: ParameterRequest) -> Double? {
    index == 0 ? filter.cutoffHertz.answer(request) : filter.resonanceDecibels.answer(request)
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
    if !parameters.takeFollowed() { return }
    var index = 0
    while index < parameters.count {
      if let reading = answer(index, .reading) {
        parameters.publish(Float(reading), ofParameter: index)
      }
      index &+= 1
    }
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

// The comb filter's render side.

import DSP
import UnitRender

/// One channel of the comb filter; `ChannelKernels` has one for each.
struct CombKernel: ChannelKernel, ~Copyable {
  private var comb: CombFilter

  /// - Thread: [control]
  init(sampleRate: Double, settings: CombFilter.Settings) {
    comb = CombFilter(sampleRate: sampleRate, settings: settings)
  }

  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Float, rampFrames: UInt32) {
    let value = Double(value)
    switch index {
    case 0: comb.moveDelay(toMilliseconds: value, overFrames: rampFrames)
    case 1: comb.rampFeedback(to: value, overFrames: rampFrames)
    case 2: comb.rampFeedforward(to: value, overFrames: rampFrames)
    case 3: comb.rampDamping(to: value, overFrames: rampFrames)
    default: comb.rampMix(to: value, overFrames: rampFrames)
    }
  }

  @_noLocks @_noAllocation
  mutating func takeReading(ofParameter index: Int) -> Float? {
    let reading: Double?
    switch index {
    case 0: reading = comb.takeDelayReading()
    case 1: reading = comb.takeFeedbackReading()
    case 2: reading = comb.takeFeedforwardReading()
    case 3: reading = comb.takeDampingReading()
    default: reading = comb.takeMixReading()
    }
    guard let reading else { return nil }
    return Float(reading)
  }

  @_noLocks @_noAllocation
  mutating func process(
    _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, frameCount: Int
  ) {
    comb.process(input, to: output, frameCount: frameCount)
  }

  @_noLocks @_noAllocation
  func isAtRest() -> Bool { comb.isAtRest }

  @_noLocks @_noAllocation
  mutating func skip(_ frameCount: Int) { comb.skip(frameCount) }

  @_noLocks @_noAllocation
  mutating func reset() { comb.reset() }
}

@_noLocks @_noAllocation
func combRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(ChannelKernels<CombKernel>.self, context, call)
}

@_noLocks @_noAllocation
func combReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(ChannelKernels<CombKernel>.self, context)
}

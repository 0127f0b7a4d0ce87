// The delay's render side.

import DSP
import UnitRender

/// One channel of the delay; `ChannelKernels` has one for each.
struct DelayKernel: ChannelKernel, ~Copyable {
  private var echo: Echo

  /// - Thread: [control]
  init(sampleRate: Double, settings: Echo.Settings) {
    echo = Echo(sampleRate: sampleRate, settings: settings)
  }

  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Float, rampFrames: UInt32) {
    let value = Double(value)
    switch index {
    case 0: echo.moveDelay(toSeconds: value, overFrames: rampFrames)
    case 1: echo.rampFeedback(to: value, overFrames: rampFrames)
    case 2: echo.rampCutoff(toHertz: value, overFrames: rampFrames)
    default: echo.rampMix(to: value, overFrames: rampFrames)
    }
  }

  @_noLocks @_noAllocation
  mutating func takeReading(ofParameter index: Int) -> Float? {
    let reading: Double?
    switch index {
    case 0: reading = echo.takeDelayReading()
    case 1: reading = echo.takeFeedbackReading()
    case 2: reading = echo.takeCutoffReading()
    default: reading = echo.takeMixReading()
    }
    guard let reading else { return nil }
    return Float(reading)
  }

  @_noLocks @_noAllocation
  mutating func process(
    _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, frameCount: Int
  ) {
    echo.process(input, to: output, frameCount: frameCount)
  }

  @_noLocks @_noAllocation
  func isAtRest() -> Bool { echo.isAtRest }

  @_noLocks @_noAllocation
  mutating func skip(_ frameCount: Int) { echo.skip(frameCount) }

  @_noLocks @_noAllocation
  mutating func reset() { echo.reset() }
}

@_noLocks @_noAllocation
func delayRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(ChannelKernels<DelayKernel>.self, context, call)
}

@_noLocks @_noAllocation
func delayReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(ChannelKernels<DelayKernel>.self, context)
}

// The distortion's render side.

import DSP
import UnitRender

/// One channel of the distortion; `ChannelKernels` has one for each.
struct DistortionKernel: ChannelKernel, ~Copyable {
  private var distortion: Distortion

  /// - Thread: [control]
  init(sampleRate: Double, settings: Distortion.Settings) {
    distortion = Distortion(sampleRate: sampleRate, settings: settings)
  }

  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Float, rampFrames: UInt32) {
    let number = Double(value)
    switch index {
    case 0: distortion.setShape(DistortionShape(place: Int(saturating: number + 0.5)))
    case 1: distortion.rampDrive(toDecibels: number, overFrames: rampFrames)
    case 2: distortion.rampGain(toDecibels: number, overFrames: rampFrames)
    default: distortion.rampMix(to: number, overFrames: rampFrames)
    }
  }

  @_noLocks @_noAllocation
  mutating func takeReading(ofParameter index: Int) -> Float? {
    let reading: Double?
    switch index {
    case 0: reading = nil
    case 1: reading = distortion.takeDriveReading()
    case 2: reading = distortion.takeGainReading()
    default: reading = distortion.takeMixReading()
    }
    guard let reading else { return nil }
    return Float(reading)
  }

  @_noLocks @_noAllocation
  mutating func process(
    _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, frameCount: Int
  ) {
    distortion.process(input, to: output, frameCount: frameCount)
  }

  @_noLocks @_noAllocation
  func isAtRest() -> Bool { distortion.isAtRest }

  @_noLocks @_noAllocation
  mutating func skip(_ frameCount: Int) { distortion.skip(frameCount) }

  @_noLocks @_noAllocation
  mutating func reset() { distortion.reset() }
}

@_noLocks @_noAllocation
func distortionRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(ChannelKernels<DistortionKernel>.self, context, call)
}

@_noLocks @_noAllocation
func distortionReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(ChannelKernels<DistortionKernel>.self, context)
}

// The equalizer's render side.

import DSP
import UnitRender

/// One channel of the equalizer; `ChannelKernels` has one for each.
///
/// Parameter 0 is the gain after all bands; each band has five more: kind, frequency, gain,
/// bandwidth and bypass.
struct EQKernel: ChannelKernel, ~Copyable {
  private var equalizer: Equalizer

  /// - Thread: [control]
  init(sampleRate: Double, bands: [Equalizer.Band], gainDecibels: Double) {
    equalizer = Equalizer(sampleRate: sampleRate, bands: bands, gainDecibels: gainDecibels)
  }

  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Float, rampFrames: UInt32) {
    let number = Double(value)
    if index == 0 { return equalizer.rampGain(toDecibels: number, overFrames: rampFrames) }
    let band = (index &- 1) / 5
    switch index &- 1 &- band &* 5 {
    case 0:
      equalizer.setKind(ofBand: band, to: EqualizerBandKind(place: Int(saturating: number + 0.5)))
    case 1: equalizer.rampFrequency(ofBand: band, toHertz: number, overFrames: rampFrames)
    case 2: equalizer.rampGain(ofBand: band, toDecibels: number, overFrames: rampFrames)
    case 3: equalizer.rampBandwidth(ofBand: band, toOctaves: number, overFrames: rampFrames)
    default: equalizer.setBypass(ofBand: band, to: value >= 0.5)
    }
  }

  @_noLocks @_noAllocation
  mutating func takeReading(ofParameter index: Int) -> Float? {
    let reading: Double?
    let band = (index &- 1) / 5
    if index == 0 {
      reading = equalizer.takeGainReading()
    } else {
      switch index &- 1 &- band &* 5 {
      case 1: reading = equalizer.takeFrequencyReading(ofBand: band)
      case 2: reading = equalizer.takeGainReading(ofBand: band)
      case 3: reading = equalizer.takeBandwidthReading(ofBand: band)
      default: reading = nil
      }
    }
    guard let reading else { return nil }
    return Float(reading)
  }

  @_noLocks @_noAllocation
  mutating func process(
    _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, frameCount: Int
  ) {
    equalizer.process(input, to: output, frameCount: frameCount)
  }

  @_noLocks @_noAllocation
  func isAtRest() -> Bool { equalizer.isAtRest }

  @_noLocks @_noAllocation
  mutating func skip(_ frameCount: Int) { equalizer.skip(frameCount) }

  @_noLocks @_noAllocation
  mutating func reset() { equalizer.reset() }
}

@_noLocks @_noAllocation
func eqRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(ChannelKernels<EQKernel>.self, context, call)
}

@_noLocks @_noAllocation
func eqReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(ChannelKernels<EQKernel>.self, context)
}

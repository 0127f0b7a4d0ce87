// The equalizer against the same bands as plain C loops.

import CBaseline
import DSP

/// Processes one channel of noise with both.
final class EqualizerBenchmark {
  static let frameCount = 256
  static let sampleRate = 48_000.0

  private let bandCount: Int
  private var equalizer: Equalizer
  private let coefficients: UnsafeMutablePointer<BaselineCoefficients>
  private let states: UnsafeMutablePointer<BaselineState>
  private let buffer: UnsafeMutablePointer<Double>
  private let input: UnsafeMutablePointer<Float>
  private let output: UnsafeMutablePointer<Float>

  init(bandCount: Int) {
    self.bandCount = bandCount
    let bands = (0..<bandCount).map { number in
      var band = Equalizer.Band()
      band.frequencyHertz = 60 + 500 * Double(number)
      band.gainDecibels = number & 1 == 0 ? 6 : -6
      return band
    }
    equalizer = Equalizer(sampleRate: Self.sampleRate, bands: bands)
    let biquads = bands.flatMap {
      let (main, trim) = $0.biquads(sampleRate: Self.sampleRate)
      return [main, trim]
    }
    coefficients = .allocate(capacity: biquads.count)
    states = .allocate(capacity: biquads.count)
    states.initialize(repeating: BaselineState(), count: biquads.count)
    for (index, (b0, b1, b2, a1, a2)) in biquads.enumerated() {
      (coefficients + index).initialize(
        to: BaselineCoefficients(b0: b0, b1: b1, b2: b2, a1: a1, a2: a2))
    }
    buffer = .allocate(capacity: Self.frameCount)
    buffer.initialize(repeating: 0, count: Self.frameCount)
    input = .allocate(capacity: Self.frameCount)
    output = .allocate(capacity: Self.frameCount)
    var random = SystemRandomNumberGenerator()
    for frame in 0..<Self.frameCount {
      (input + frame).initialize(to: Float.random(in: -0.5...0.5, using: &random))
    }
    output.initialize(repeating: 0, count: Self.frameCount)
  }

  deinit {
    coefficients.deallocate()
    states.deallocate()
    buffer.deallocate()
    input.deallocate()
    output.deallocate()
  }

  private func process() { equalizer.process(input, to: output, frameCount: Self.frameCount) }

  private func processBaseline() {
    baselineEqualizer(
      coefficients, states, Int32(2 * bandCount), buffer, input, output, Int32(Self.frameCount))
  }

  /// The greatest difference between both outputs over 20 calls: they must do the same work.
  func difference() -> Float {
    greatestDifference(
      in: output, count: Self.frameCount, calls: 20, ours: { process() },
      baseline: { processBaseline() })
  }

  func resting() -> Comparison {
    .measure(
      units: bandCount * Self.frameCount, repetitions: 101, calls: 10, ours: { process() },
      baseline: { processBaseline() })
  }

  /// Moves the frequency of every band on every frame.
  func ramping() -> Comparison {
    var up = false
    return .measure(
      units: bandCount * Self.frameCount, repetitions: 51, calls: 4,
      ours: {
        up.toggle()
        for band in 0..<bandCount {
          _ = equalizer.setting(
            .frequency, ofBand: band,
            .start(to: up ? 9000 : 1000, overFrames: UInt32(Self.frameCount)))
        }
        process()
      },
      baseline: {
        baselineEqualizerRamp(
          1000, 8000 / Double(Self.frameCount), 6, Self.sampleRate, states, Int32(bandCount),
          buffer, input, output, Int32(Self.frameCount))
      })
  }
}

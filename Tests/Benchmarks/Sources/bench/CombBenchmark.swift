// The comb filter and the delay against plain C loops that do the same.

import CBaseline
import DSP
import Glibc

/// Processes one channel of noise with both.
final class CombBenchmark {
  static let frameCount = 256
  static let sampleRate = 48_000.0
  private static let mask = 131_071

  /// Whether the delay is measured in place of the comb filter.
  private let isEcho: Bool
  private var comb: CombFilter
  private var echo: Echo
  private var baseline: BaselineComb
  private let input: UnsafeMutablePointer<Float>
  private let output: UnsafeMutablePointer<Float>

  /// - Parameter damping: of the comb filter, 0 to 99 %. The delay's cut-off is 5 kHz.
  init(delayMilliseconds: Double, damping: Double = 0, isEcho: Bool = false) {
    self.isEcho = isEcho
    var settings = CombFilter.Settings()
    settings.delayMilliseconds = delayMilliseconds
    settings.feedback = 70
    settings.feedforward = 20
    settings.damping = damping
    settings.mix = 60
    comb = CombFilter(sampleRate: Self.sampleRate, settings: settings)
    var echoSettings = Echo.Settings()
    echoSettings.delaySeconds = delayMilliseconds / 1000
    echoSettings.feedback = 70
    echoSettings.cutoffHertz = 5000
    echoSettings.mix = 60
    echo = Echo(sampleRate: Self.sampleRate, settings: echoSettings)
    let b = 2 - cos(2 * .pi * 5000 / Self.sampleRate)
    let pole = b - (b * b - 1).squareRoot()
    let ring = UnsafeMutablePointer<Float>.allocate(capacity: Self.mask + 1)
    ring.initialize(repeating: 0, count: Self.mask + 1)
    baseline = baselineCombMake(
      ring, Int32(Self.mask), delayMilliseconds / 1000 * Self.sampleRate, 0.7, 0.2,
      isEcho ? Float(pole) : Float(damping / 100), 0.6)
    input = .allocate(capacity: Self.frameCount)
    output = .allocate(capacity: Self.frameCount)
    var random = SystemRandomNumberGenerator()
    for frame in 0..<Self.frameCount {
      (input + frame).initialize(to: Float.random(in: -1...1, using: &random))
    }
    output.initialize(repeating: 0, count: Self.frameCount)
  }

  deinit {
    baseline.ring.deallocate()
    input.deallocate()
    output.deallocate()
  }

  private func process() {
    if isEcho {
      echo.process(input, to: output, frameCount: Self.frameCount)
    } else {
      comb.process(input, to: output, frameCount: Self.frameCount)
    }
  }

  private func processBaseline() {
    if isEcho {
      baselineEcho(&baseline, input, output, Int32(Self.frameCount))
    } else {
      baselineComb(&baseline, input, output, Int32(Self.frameCount))
    }
  }

  /// The greatest difference between both outputs over 200 calls: they must do the same work.
  func difference() -> Float {
    greatestDifference(
      in: output, count: Self.frameCount, calls: 200, ours: { process() },
      baseline: { processBaseline() })
  }

  func measure() -> Comparison {
    .measure(units: Self.frameCount, ours: { process() }, baseline: { processBaseline() })
  }
}

// The distortion against a plain C loop that does the same.

import CBaseline
import DSP
import Glibc

/// Processes one channel of noise with both.
final class DistortionBenchmark {
  static let frameCount = 256
  static let sampleRate = 48_000.0

  private var distortion: Distortion
  private let baseline: OpaquePointer
  private let input: UnsafeMutablePointer<Float>
  private let output: UnsafeMutablePointer<Float>

  init(isHard: Bool) {
    var settings = Distortion.Settings()
    settings.shape = isHard ? .hard : .soft
    settings.driveDecibels = 12
    distortion = Distortion(sampleRate: Self.sampleRate, settings: settings)
    baseline = baselineDistortionMake(isHard ? 1 : 0, 12, Self.sampleRate)
    input = .allocate(capacity: Self.frameCount)
    output = .allocate(capacity: Self.frameCount)
    var random = SystemRandomNumberGenerator()
    for frame in 0..<Self.frameCount {
      (input + frame).initialize(to: Float.random(in: -0.5...0.5, using: &random))
    }
    output.initialize(repeating: 0, count: Self.frameCount)
  }

  deinit {
    free(UnsafeMutableRawPointer(baseline))
    input.deallocate()
    output.deallocate()
  }

  private func process() { distortion.process(input, to: output, frameCount: Self.frameCount) }

  private func processBaseline() {
    baselineDistortion(baseline, input, output, Int32(Self.frameCount))
  }

  /// The greatest difference between both outputs over 20 calls: they must do the same work.
  func difference() -> Float {
    greatestDifference(
      in: output, count: Self.frameCount, calls: 20, ours: { process() },
      baseline: { processBaseline() })
  }

  func measure() -> Comparison {
    .measure(
      units: Self.frameCount, repetitions: 101, calls: 4, ours: { process() },
      baseline: { processBaseline() })
  }
}

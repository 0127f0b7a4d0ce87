// The tone generator against the same sum of harmonics as a plain C loop.

import CBaseline
import DSP

/// A saw wave of one key.
final class ToneBenchmark {
  static let frameCount = 256
  static let sampleRate = 48_000.0

  private var tone: ToneGenerator
  private var baseline: BaselineTone
  private let parts: UnsafeMutablePointer<Double>
  private let output: UnsafeMutablePointer<Float>

  init(key: Int) {
    var settings = ToneGenerator.Settings()
    settings.key = key
    settings.wave = .saw
    settings.amplitude = 1
    settings.fadeInMilliseconds = 0
    tone = ToneGenerator(sampleRate: Self.sampleRate, settings: settings)
    tone.play()
    let turns = Pitch.frequency(ofKey: Double(key)) / Self.sampleRate
    baseline = BaselineTone(phase: 0, step: turns, limit: 0.5)
    parts = .allocate(capacity: 4096)
    for harmonic in 0..<4096 {
      let sign: Double = harmonic & 1 == 1 ? 2 : -2
      (parts + harmonic).initialize(to: sign / .pi / Double(max(harmonic, 1)))
    }
    output = .allocate(capacity: Self.frameCount)
    output.initialize(repeating: 0, count: Self.frameCount)
  }

  deinit {
    parts.deallocate()
    output.deallocate()
  }

  private func process() { tone.process(output, frameCount: Self.frameCount) }

  private func processBaseline() {
    baselineTone(&baseline, parts, output, Int32(Self.frameCount))
  }

  /// The greatest difference between both outputs: they must do the same work.
  func difference() -> Float {
    process()
    let ours = Array(UnsafeBufferPointer(start: output, count: Self.frameCount))
    processBaseline()
    var worst: Float = 0
    for frame in 0..<Self.frameCount { worst = max(worst, abs(ours[frame] - output[frame])) }
    return worst
  }

  func measure() -> Comparison {
    .measure(
      units: Self.frameCount, repetitions: 101, calls: 4, ours: { process() },
      baseline: { processBaseline() })
  }
}

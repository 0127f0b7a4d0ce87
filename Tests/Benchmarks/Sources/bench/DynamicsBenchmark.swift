// Compressor, limiter and gate against the same mathematics as plain C loops.

import CBaseline
import DSP
import Glibc

/// Processes one channel of noise, loud and quiet in turns, with both.
final class DynamicsBenchmark {
  enum Kind: CaseIterable {
    case compressor, limiter, gate
  }

  static let frameCount = 256
  static let cycleCount = 64
  static let sampleRate = 48_000.0

  private let kind: Kind
  private var compressor: Compressor
  private var limiter: Limiter
  private var gate: Gate
  private let baseline: OpaquePointer
  private let input: UnsafeMutablePointer<Float>
  private let gains: UnsafeMutablePointer<Float>
  private let output: UnsafeMutablePointer<Float>
  private var cycle = 0

  init(_ kind: Kind) {
    self.kind = kind
    compressor = Compressor(sampleRate: Self.sampleRate)
    var settings = Limiter.Settings()
    settings.ceilingDecibels = -6
    settings.lookAheadFrames = 240
    limiter = Limiter(sampleRate: Self.sampleRate, settings: settings)
    gate = Gate(sampleRate: Self.sampleRate)
    baseline = baselineDynamicsMake(Self.sampleRate)
    let count = Self.frameCount * Self.cycleCount
    input = .allocate(capacity: count)
    var random = SystemRandomNumberGenerator()
    for frame in 0..<count {
      let amplitude: Float = frame / 4000 & 1 == 0 ? 0.9 : 0.005
      (input + frame).initialize(to: .random(in: -amplitude...amplitude, using: &random))
    }
    gains = .allocate(capacity: Self.frameCount)
    gains.initialize(repeating: 0, count: Self.frameCount)
    output = .allocate(capacity: Self.frameCount)
    output.initialize(repeating: 0, count: Self.frameCount)
  }

  deinit {
    free(UnsafeMutableRawPointer(baseline))
    input.deallocate()
    gains.deallocate()
    output.deallocate()
  }

  private func next() -> UnsafeMutablePointer<Float> {
    cycle = (cycle + 1) % Self.cycleCount
    return input + cycle * Self.frameCount
  }

  private func process(_ input: UnsafeMutablePointer<Float>) {
    for frame in 0..<Self.frameCount { gains[frame] = input[frame].magnitude }
    switch kind {
    case .compressor: compressor.process(gains, count: Self.frameCount)
    case .limiter: limiter.process(gains, count: Self.frameCount)
    case .gate: gate.process(gains, count: Self.frameCount)
    }
    for frame in 0..<Self.frameCount { output[frame] = input[frame] * gains[frame] }
  }

  private func processBaseline(_ input: UnsafeMutablePointer<Float>) {
    switch kind {
    case .compressor: baselineCompressor(baseline, input, output, Int32(Self.frameCount))
    case .limiter: baselineLimiter(baseline, input, output, Int32(Self.frameCount))
    case .gate: baselineGate(baseline, input, output, Int32(Self.frameCount))
    }
  }

  /// The greatest difference between both outputs: they must do the same work.
  func difference() -> Float {
    var worst: Float = 0
    for _ in 0..<3 * Self.cycleCount {
      let input = next()
      process(input)
      let ours = Array(UnsafeBufferPointer(start: output, count: Self.frameCount))
      processBaseline(input)
      for frame in 0..<Self.frameCount { worst = max(worst, abs(ours[frame] - output[frame])) }
    }
    return worst
  }

  func measure() -> Comparison {
    .measure(
      units: Self.frameCount, repetitions: 101, calls: Self.cycleCount,
      ours: { process(next()) }, baseline: { processBaseline(next()) })
  }
}

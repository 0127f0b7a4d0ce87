// The resonant low-pass against the same filter as a plain C loop.

import CBaseline
import DSP

/// One signal for all channels, and buffers for both filters' output.
final class FilterBenchmark {
  static let frameCount = 256
  static let sampleRate = 48_000.0

  private let channelCount: Int
  private var filter: ResonantLowPass
  private var coefficients = baselineCoefficients(1000, 3, sampleRate)
  private let states: UnsafeMutablePointer<BaselineState>
  private let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
  private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  init(channelCount: Int) {
    self.channelCount = channelCount
    filter = ResonantLowPass(
      channelCount: channelCount, sampleRate: Self.sampleRate, cutoffHertz: 1000,
      resonanceDecibels: 3)
    states = .allocate(capacity: channelCount)
    states.initialize(repeating: BaselineState(), count: channelCount)
    inputs = .allocate(capacity: channelCount)
    outputs = .allocate(capacity: channelCount)
    var random = SystemRandomNumberGenerator()
    for channel in 0..<channelCount {
      let input = UnsafeMutablePointer<Float>.allocate(capacity: Self.frameCount)
      for frame in 0..<Self.frameCount {
        input[frame] = Float.random(in: -1...1, using: &random)
      }
      inputs[channel] = UnsafePointer(input)
      outputs[channel] = .allocate(capacity: Self.frameCount)
      outputs[channel].initialize(repeating: 0, count: Self.frameCount)
    }
  }

  deinit {
    for channel in 0..<channelCount {
      inputs[channel].deallocate()
      outputs[channel].deallocate()
    }
    inputs.deallocate()
    outputs.deallocate()
    states.deallocate()
  }

  private func process() {
    filter.process(
      inputs: inputs, outputs: outputs, offset: 0, frameCount: Self.frameCount)
  }

  private func processBaseline() {
    for channel in 0..<channelCount {
      baselineConstant(
        &coefficients, &states[channel], inputs[channel], outputs[channel],
        Int32(Self.frameCount))
    }
  }

  /// The greatest difference between both filters' first output: they must do the same work.
  func firstDifference() -> Float {
    process()
    let ours = (0..<channelCount).map {
      Array(UnsafeBufferPointer(start: outputs[$0], count: Self.frameCount))
    }
    processBaseline()
    var worst: Float = 0
    for channel in 0..<channelCount {
      for frame in 0..<Self.frameCount {
        worst = max(worst, abs(ours[channel][frame] - outputs[channel][frame]))
      }
    }
    return worst
  }

  func constant() -> Comparison {
    .measure(
      units: channelCount * Self.frameCount, ours: { process() }, baseline: { processBaseline() })
  }

  /// Moves cutoff and resonance on every frame.
  func ramping() -> Comparison {
    var up = false
    return .measure(
      units: channelCount * Self.frameCount, repetitions: 101, calls: 10,
      ours: {
        up.toggle()
        filter.cutoffHertz.start(to: up ? 9000 : 1000, overFrames: UInt32(Self.frameCount))
        filter.resonanceDecibels.start(to: up ? 12 : 3, overFrames: UInt32(Self.frameCount))
        process()
      },
      baseline: {
        let frames = Double(Self.frameCount)
        baselineRamp(
          1000, 8000 / frames, 3, 9 / frames, Self.sampleRate, states, inputs, outputs,
          Int32(channelCount), Int32(Self.frameCount))
      })
  }
}

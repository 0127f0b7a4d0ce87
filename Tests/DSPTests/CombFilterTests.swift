// The comb filter's delay line: a reset clears it, also where its memory wraps.

import Testing

@testable import DSP

@Suite struct CombFilterTests {
  private func run(_ input: [Float], by comb: inout CombFilter) -> [Float] {
    let output = UnsafeMutablePointer<Float>.allocate(capacity: input.count)
    output.initialize(repeating: .nan, count: input.count)
    defer { output.deallocate() }
    input.withUnsafeBufferPointer {
      comb.process($0.baseAddress!, to: output, frameCount: input.count)
    }
    return Array(UnsafeBufferPointer(start: output, count: input.count))
  }

  /// Delays of whole frames, between the two interpolations, read frame by frame and in vectors.
  @Test(arguments: [10.0, 10.5, 14.4, 17.28, 20.7, 80.3])
  func aResetClearsTheMemory(frames: Double) {
    var settings = CombFilter.Settings()
    settings.delayMilliseconds = frames / 48
    settings.feedback = 70
    settings.feedforward = 20
    settings.mix = 60
    var comb = CombFilter(sampleRate: 48_000, settings: settings)
    var fresh = CombFilter(sampleRate: 48_000, settings: settings)
    var random = SplitMix(seed: 1)
    // The memory for 500 ms: 32,768 frames.
    _ = run(random.noise(32_700), by: &comb)
    comb.reset()
    let input = random.noise(400)
    #expect(run(input, by: &comb) == run(input, by: &fresh))
  }
}

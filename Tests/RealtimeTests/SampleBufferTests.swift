// Buffers of samples: copying, mixing and searching, at every length and position.

import Realtime
import Testing

@Suite struct SampleBufferTests {
  /// Calls `body` with `count` ones between two guards that no function may touch.
  func withGuardedOnes(_ count: Int, _ body: (UnsafeMutablePointer<Float>) -> Void) {
    var memory = [Float](repeating: 1, count: count + 2)
    memory[0] = -7
    memory[count + 1] = -7
    memory.withUnsafeMutableBufferPointer { body($0.baseAddress! + 1) }
    #expect(memory.first == -7 && memory.last == -7)
  }

  @Test(arguments: [0, 1, 3, 4, 17, 64, 65, 200])
  func everyFunctionTouchesExactlyItsSamples(count: Int) {
    let source = (0..<count).map { Float($0) + 0.5 }
    func result(_ body: (UnsafeMutablePointer<Float>) -> Void) -> [Float] {
      var result: [Float] = []
      withGuardedOnes(count) {
        body($0)
        result = Array(UnsafeBufferPointer(start: $0, count: count))
      }
      return result
    }
    #expect(result { Samples.clear($0, count: count) } == source.map { _ in 0 })
    #expect(result { Samples.copy(source, to: $0, count: count) } == source)
    let taken = result { taken in
      #expect(result { Samples.move(taken, to: $0, count: count) } == source.map { _ in 1 })
    }
    #expect(taken == source.map { _ in 0 })
    #expect(result { Samples.add(source, to: $0, count: count) } == source.map { $0 + 1 })
    #expect(
      result { Samples.add(source, gain: 2, to: $0, count: count) } == source.map { $0 * 2 + 1 })
    #expect(result { Samples.scale($0, by: 3, count: count) } == source.map { _ in 3 })
  }

  @Test(arguments: [Float.nan, .signalingNaN, .infinity, -.infinity, -.nan])
  func aSingleNonFiniteSampleIsFoundAnywhere(value: Float) {
    for place in 0..<67 {
      var samples = [Float](repeating: -.greatestFiniteMagnitude, count: 67)
      #expect(!Samples.containsNonFinite(samples, count: 67))
      samples[place] = value
      #expect(Samples.containsNonFinite(samples, count: 67))
      #expect(!Samples.containsNonFinite(samples, count: place))
    }
  }

  @Test func silenceIsZeroOfEitherSignAndNothingElse() {
    for place in 0..<131 {
      var samples = [Float](repeating: 0, count: 131)
      samples[place] = -0.0
      #expect(Samples.isSilent(samples, count: 131))
      samples[place] = -.leastNonzeroMagnitude
      #expect(!Samples.isSilent(samples, count: 131))
      #expect(Samples.isSilent(samples, count: place))
    }
  }

  @Test func thePeakIsTheGreatestMagnitudeAndShowsNaN() {
    #expect(Samples.peak([0.25, -3, -.infinity, 2], count: 2) == 3)
    #expect(Samples.peak([0.25, -.nan, .infinity, 2], count: 4).isNaN)
    #expect(Samples.peak([0.25, -3], count: 0) == 0)
  }
}

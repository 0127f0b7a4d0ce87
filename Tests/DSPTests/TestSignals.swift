// Shared by the DSP tests: seeded numbers, and a filter run over plain arrays.

import DSP

/// A seeded generator, so that a failure repeats.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  mutating func next(in range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &self)
  }

  mutating func next(in range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  mutating func noise(_ count: Int) -> [Float] {
    (0..<count).map { _ in Float(next(in: -1...1)) }
  }
}

/// The channels of one test signal, each in its own memory.
final class Channels {
  private let pointers: [UnsafeMutablePointer<Float>]
  let frameCount: Int

  init(_ channels: [[Float]]) {
    frameCount = channels[0].count
    pointers = channels.map { samples in
      let pointer = UnsafeMutablePointer<Float>.allocate(capacity: samples.count)
      pointer.initialize(from: samples, count: samples.count)
      return pointer
    }
  }

  deinit { for pointer in pointers { pointer.deallocate() } }

  subscript(channel: Int) -> [Float] {
    Array(UnsafeBufferPointer(start: pointers[channel], count: frameCount))
  }

  /// Runs `filter` over `frames` into `output`, which may be these channels themselves.
  func process(_ filter: inout ResonantLowPass, to output: Channels, frames: Range<Int>) {
    filter.process(
      inputs: pointers.map { UnsafePointer($0) }, outputs: output.pointers,
      offset: frames.lowerBound, frameCount: frames.count)
  }
}

/// Returns the output of `filter` for mono `input`, processed in one call.
func filtered(_ input: [Float], by filter: inout ResonantLowPass) -> [Float] {
  let channels = Channels([input])
  channels.process(&filter, to: channels, frames: 0..<input.count)
  return channels[0]
}

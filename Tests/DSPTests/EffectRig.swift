// Shared by the tests of effects: reverb and chorus run over plain arrays.

import Glibc

@testable import DSP

/// The stereo output of an effect.
struct Stereo: Equatable {
  var left: [Float] = []
  var right: [Float] = []

  /// Returns the energy of a range of frames.
  func energy(_ frames: Range<Int>) -> Double {
    frames.reduce(0) {
      $0 + Double(left[$1]) * Double(left[$1]) + Double(right[$1]) * Double(right[$1])
    }
  }

  var peak: Float { max(left.map(abs).max() ?? 0, right.map(abs).max() ?? 0) }
  var isFinite: Bool { left.allSatisfy(\.isFinite) && right.allSatisfy(\.isFinite) }
}

/// Runs `process` over `input` in calls of `period` frames at most.
private func run(
  _ input: [Float], period: Int,
  _ process: (UnsafePointer<Float>, UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, Int)
    -> Void
) -> Stereo {
  let left = UnsafeMutablePointer<Float>.allocate(capacity: input.count)
  let right = UnsafeMutablePointer<Float>.allocate(capacity: input.count)
  left.initialize(repeating: .nan, count: input.count)
  right.initialize(repeating: .nan, count: input.count)
  input.withUnsafeBufferPointer { samples in
    var frame = 0
    while frame < input.count {
      let count = min(period, input.count - frame)
      process(samples.baseAddress! + frame, left + frame, right + frame, count)
      frame += count
    }
  }
  defer {
    left.deallocate()
    right.deallocate()
  }
  return Stereo(
    left: Array(UnsafeBufferPointer(start: left, count: input.count)),
    right: Array(UnsafeBufferPointer(start: right, count: input.count)))
}

func reverberated(_ input: [Float], by reverb: inout Reverb, period: Int = 4096) -> Stereo {
  run(input, period: period) {
    reverb.process(input: $0, left: $1, right: $2, frameCount: $3)
  }
}

func chorused(_ input: [Float], by chorus: inout Chorus, period: Int = 4096) -> Stereo {
  run(input, period: period) {
    chorus.process(input: $0, left: $1, right: $2, frameCount: $3)
  }
}

func impulse(_ frames: Int) -> [Float] { [1] + [Float](repeating: 0, count: frames - 1) }

func silence(_ frames: Int) -> [Float] { [Float](repeating: 0, count: frames) }

/// Returns a sine of 300 Hz.
func tone(_ frames: Int, sampleRate: Double) -> [Float] {
  (0..<frames).map { Float(sin(600 * .pi * Double($0) / sampleRate)) }
}

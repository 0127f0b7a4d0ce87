// The latest frames as an oscilloscope shows them.

import Realtime
import SessionModel

/// The frames of a scope: they begin where the signal rises through its middle, so that what
/// repeats seems to stand.
enum Scope {
  /// The length in seconds: a period of 40 Hz.
  static let length = 0.025
  /// The most samples a second.
  static let mostSamples = 50_000.0

  /// Returns the latest frames from such a place on, or else the latest of all.
  ///
  /// - Parameters:
  ///   - left: at least two frames. Those that are no numbers count as silent.
  ///   - right: as many.
  ///   - sampleRate: in hertz, above 0.
  static func wave(
    _ left: ArraySlice<Float>, _ right: ArraySlice<Float>, sampleRate: Double
  ) -> SpectrumReading.Wave {
    let (left, right) = (left.map(\.limited), right.map(\.limited))
    let (leftPeak, rightPeak) = (left.peak, right.peak)
    let peak = max(leftPeak, rightPeak)
    let count = max(1, min(left.count / 2, Int(saturating: sampleRate * length)))
    let start = beginning(of: count, in: leftPeak >= rightPeak ? left : right)
    let step = max(1, Int(saturating: (sampleRate / mostSamples).rounded(.up)))
    func samples(_ frames: [Float]) -> [Int] {
      stride(from: start, to: start + count, by: step).map {
        peak > 0 ? Int((frames[$0] / peak * 1000).rounded()) : 0
      }
    }
    return SpectrumReading.Wave(
      sampleRate: Float(sampleRate / Double(step)), peak: peak, left: samples(left),
      right: samples(right))
  }

  /// Returns the last place that has enough frames from there on, and where the signal rises
  /// through the middle between its ends after it was clearly below.
  private static func beginning(of count: Int, in frames: [Float]) -> Int {
    let last = frames.count - count
    let (low, high) = (frames.min() ?? 0, frames.max() ?? 0)
    let middle = (low + high) / 2
    let below = middle - (high - low) / 20
    var (isBelow, found) = (false, last)
    for index in 0...last {
      if frames[index] < below {
        isBelow = true
      } else if isBelow && frames[index] >= middle {
        (isBelow, found) = (false, index)
      }
    }
    return found
  }
}

extension Float {
  /// The value; ±1,000 beyond, and 0 if it is not a number.
  fileprivate var limited: Float { isNaN ? 0 : min(1000, max(-1000, self)) }
}

extension [Float] {
  fileprivate var peak: Float { reduce(0) { Swift.max($0, abs($1)) } }
}

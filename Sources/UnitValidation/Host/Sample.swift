// Test signals and their levels.

import Glibc
import Platform

enum Sample {
  /// Returns noise, uniform in −amplitude…amplitude.
  static func noise(_ frames: Int, seed: UInt64, amplitude: Float = 1) -> [Float] {
    var random = SplitMix(seed: seed)
    return [Float](unsafeUninitializedCapacity: frames) { memory, count in
      for frame in 0..<frames {
        memory[frame] = (Float(random.next() >> 40) / Float(1 << 23) - 1) * amplitude
      }
      count = frames
    }
  }

  static func silence(_ frames: Int) -> [Float] { [Float](repeating: 0, count: frames) }

  static func sine(_ frames: Int, hertz: Double, amplitude: Double) -> [Float] {
    let step = 2 * Double.pi * hertz / 48_000
    return (0..<frames).map { Float(amplitude * sin(step * Double($0))) }
  }

  static func decibels(_ amplitude: Float) -> Double { 20 * log10(Double(abs(amplitude))) }

  /// Formats a level for messages.
  static func text(decibels: Double) -> String {
    decibels == -.infinity ? "silence" : "\(decibels.text(decimals: 1)) dB"
  }

  /// Returns the largest magnitude; infinity if a sample is not finite.
  static func peak(_ samples: ArraySlice<Float>) -> Float {
    samples.withUnsafeBufferPointer { samples in
      var peak: Float = 0
      for sample in samples {
        guard sample.isFinite else { return .infinity }
        peak = max(peak, abs(sample))
      }
      return peak
    }
  }

  /// Returns the largest difference between neighbouring samples.
  static func largestStep(_ samples: ArraySlice<Float>) -> Float {
    samples.withUnsafeBufferPointer { samples in
      var largest: Float = 0
      for index in samples.indices.dropFirst() {
        largest = max(largest, abs(samples[index] - samples[index - 1]))
      }
      return largest
    }
  }

  /// Returns the part of a signal above 8 kHz, at 48 kHz. The filter has 63 taps, delays by 31
  /// frames and blocks everything below 5 kHz.
  static func above8Kilohertz(_ samples: [Float]) -> [Float] {
    let middle = 31
    let taps = (0...2 * middle).map { tap -> Float in
      let distance = Double(tap - middle)
      let turn = Double.pi * Double(tap) / Double(middle)
      let window = 0.42 - 0.5 * cos(turn) + 0.08 * cos(2 * turn)
      let low = tap == middle ? 1 / 3.0 : sin(Double.pi * distance / 3) / (Double.pi * distance)
      return Float(((tap == middle ? 1 : 0) - low) * window)
    }
    // The taps' sum is not quite 0.
    let rest = taps.reduce(0, +)
    return samples.withUnsafeBufferPointer { samples in
      samples.indices.map { frame in
        var sum: Float = 0
        for tap in 0...min(frame, 2 * middle) {
          sum += (taps[tap] - (tap == middle ? rest : 0)) * samples[frame - tap]
        }
        return sum
      }
    }
  }

  /// Returns the first index at which two signals differ in a bit; nil if they are equal.
  static func firstDifference(_ first: [Float], _ second: [Float]) -> Int? {
    let count = min(first.count, second.count)
    let differs = first.withUnsafeBytes { first in
      second.withUnsafeBytes { second -> Bool in
        guard count > 0 else { return false }
        return memcmp(first.baseAddress!, second.baseAddress!, count * 4) != 0
      }
    }
    if differs {
      for index in 0..<count where first[index].bitPattern != second[index].bitPattern {
        return index
      }
    }
    return first.count == second.count ? nil : count
  }
}

// Levels, differences and steps of signals.
import Foundation

/// 20·log10(amplitude): −infinity for 0.
public func decibels(_ amplitude: Float) -> Double {
  20 * log10(Double(abs(amplitude)))
}

/// The largest magnitude of a signal in dB full scale: −infinity for silence, NaN if a sample is
/// NaN.
public func peakDecibels(_ signal: [Float]) -> Double {
  var peak: Float = 0
  for sample in signal {
    if sample.isNaN { return .nan }
    peak = max(peak, abs(sample))
  }
  return decibels(peak)
}

/// The largest difference of two signals in dB full scale: −infinity if they are equal.
///
/// A longer signal is compared with zeros after the end of the shorter one. A NaN gives NaN, which
/// fails every comparison.
public func peakDecibels(difference first: [Float], _ second: [Float]) -> Double {
  var peak: Float = 0
  for index in 0..<max(first.count, second.count) {
    let difference =
      (index < first.count ? first[index] : 0) - (index < second.count ? second[index] : 0)
    if difference.isNaN { return .nan }
    peak = max(peak, abs(difference))
  }
  return decibels(peak)
}

/// The root mean square of a signal in dB full scale: −infinity for silence.
public func rootMeanSquareDecibels(_ signal: [Float]) -> Double {
  let power = signal.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(1, signal.count))
  return 10 * log10(power)
}

/// The first index at which two sequences differ, or nil if they are equal.
///
/// Expect this to be nil rather than two long arrays to be equal: a failure then prints a number
/// instead of both arrays.
@_specialize(where Element == Float)
public func firstDifference<Element: Equatable>(_ first: [Element], _ second: [Element]) -> Int? {
  for index in 0..<min(first.count, second.count) where first[index] != second[index] {
    return index
  }
  return first.count == second.count ? nil : min(first.count, second.count)
}

/// The first frame whose magnitude exceeds `threshold`, or nil if there is none.
public func onset(of signal: [Float], above threshold: Float = 0) -> Int? {
  signal.firstIndex { abs($0) > threshold }
}

/// The largest difference between neighbours, 0 with fewer than two samples; a NaN gives infinity.
public func largestStep(_ signal: [Float]) -> Float {
  var largest: Float = 0
  for index in signal.indices.dropFirst() {
    let step = abs(signal[index] - signal[index - 1])
    largest = max(largest, step.isNaN ? .infinity : step)
  }
  return largest
}

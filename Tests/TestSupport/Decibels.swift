// How far two signals are apart, in decibels.
import Foundation

/// 20·log10(amplitude): −infinity for 0.
public func decibels(_ amplitude: Float) -> Double {
  20 * log10(Double(abs(amplitude)))
}

/// The largest magnitude of a signal in dB full scale: −infinity for silence, NaN if a sample is NaN.
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
/// Signals of unequal length differ by whatever the longer one has at its end. A NaN gives NaN, which fails
/// every comparison.
public func peakDecibels(difference first: [Float], _ second: [Float]) -> Double {
  let count = max(first.count, second.count)
  return peakDecibels(
    (0..<count).map { index in
      (index < first.count ? first[index] : 0) - (index < second.count ? second[index] : 0)
    })
}

/// The root mean square of a signal in dB full scale: −infinity for silence.
public func rootMeanSquareDecibels(_ signal: [Float]) -> Double {
  let power = signal.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(1, signal.count))
  return 10 * log10(power)
}

/// The first index at which two sequences differ, or nil if they are equal.
///
/// Expect this to be nil rather than two long arrays to be equal: a failure then prints a number instead
/// of both arrays.
public func firstDifference<Element: Equatable>(_ first: [Element], _ second: [Element]) -> Int? {
  if let index = zip(first, second).enumerated().first(where: { $0.element.0 != $0.element.1 }) {
    return index.offset
  }
  return first.count == second.count ? nil : min(first.count, second.count)
}

/// The first frame whose magnitude exceeds `threshold`, or nil if there is none.
public func onset(of signal: [Float], above threshold: Float = 0) -> Int? {
  signal.firstIndex { abs($0) > threshold }
}

// Amplitude spectrum of a signal.
import Foundation

/// The amplitudes of the sinusoids of a periodic signal. Index n is that of n periods in the
/// signal, up to half its length.
///
/// - Parameter signal: one period; its length is a power of two above 1.
public func amplitudes(of signal: [Float]) -> [Double] {
  let count = signal.count
  precondition(count > 1 && count & (count - 1) == 0)
  var real = [Double](repeating: 0, count: count)
  var imaginary = [Double](repeating: 0, count: count)
  let bits = count.trailingZeroBitCount
  for index in 0..<count {
    var (rest, place) = (index, 0)
    for _ in 0..<bits {
      place = place << 1 | rest & 1
      rest >>= 1
    }
    real[place] = Double(signal[index])
  }
  var half = 1
  while half < count {
    for offset in 0..<half {
      let (c, s) = (
        cos(.pi * Double(offset) / Double(half)), -sin(.pi * Double(offset) / Double(half))
      )
      for first in stride(from: offset, to: count, by: 2 * half) {
        let second = first + half
        let (x, y) = (
          real[second] * c - imaginary[second] * s, real[second] * s + imaginary[second] * c
        )
        (real[second], imaginary[second]) = (real[first] - x, imaginary[first] - y)
        (real[first], imaginary[first]) = (real[first] + x, imaginary[first] + y)
      }
    }
    half *= 2
  }
  return (0...count / 2).map {
    let isEdge = $0 == 0 || $0 == count / 2
    return hypot(real[$0], imaginary[$0]) * (isEdge ? 1 : 2) / Double(count)
  }
}

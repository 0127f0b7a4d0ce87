// Decay time of a band of a response.
import Foundation

/// Decay time of a third-octave band by 60 dB, in seconds. Uses Schroeder's backward integral from
/// −5 to −35 dB, after four second-order band-passes.
///
/// - Parameters:
///   - response: an impulse response.
///   - hertz: centre of the band, below half of `sampleRate`.
/// - Returns: the time; nil if the response does not fall by 35 dB.
public func bandDecay(_ response: [Float], hertz: Double, sampleRate: Double) -> Double? {
  let turn = 2 * Double.pi * hertz / sampleRate
  let width = sin(turn) * sinh(log(2) / 6 * turn / sin(turn))
  let (gain, first, second) = (
    width / (1 + width), -2 * cos(turn) / (1 + width), (1 - width) / (1 + width)
  )
  var samples = response.map(Double.init)
  for _ in 0..<4 {
    var (input1, input2, output1, output2) = (0.0, 0.0, 0.0, 0.0)
    for index in samples.indices {
      let input = samples[index]
      let output = gain * (input - input2) - first * output1 - second * output2
      (input1, input2) = (input, input1)
      (output1, output2) = (output, output1)
      samples[index] = output
    }
  }
  var sum = 0.0
  for index in samples.indices.reversed() {
    sum += samples[index] * samples[index]
    samples[index] = sum
  }
  func place(_ decibels: Double) -> Int? {
    samples.firstIndex { $0 < sum * pow(10, decibels / 10) }
  }
  guard let begin = place(-5), let end = place(-35) else { return nil }
  return Double(end - begin) / sampleRate * 2
}

// The spectrum of some frames.

import CKissFFT
import Glibc
import SessionModel

/// Levels of two channels by frequency, by a Fourier transform under a Hann window.
///
/// One thread at a time calls its methods.
final class Spectrum {
  /// The number of frames of a look: about a twelfth of a second.
  let frameCount: Int
  private let transform: kiss_fft_cfg
  private let window: [Float]
  /// The edges of the bands, in bins.
  private let edges: [Double]
  private var input: [kiss_fft_cpx]
  private var output: [kiss_fft_cpx]

  /// - Parameter sampleRate: in hertz, above 0.
  init(sampleRate: Double) {
    let count = sampleRate > 50_000 ? 8192 : 4096
    frameCount = count
    guard let transform = kiss_fft_alloc(Int32(count), 0, nil, nil) else {
      preconditionFailure("no memory for a Fourier transform")
    }
    self.transform = transform
    window = (0..<count).map { 0.5 - 0.5 * cosf(2 * .pi * Float($0) / Float(count)) }
    edges = (0...SpectrumReading.bandCount).map {
      SpectrumReading.frequency(ofBand: $0) * Double(count) / sampleRate
    }
    input = Array(repeating: kiss_fft_cpx(), count: count)
    output = input
  }

  deinit { free(UnsafeMutableRawPointer(transform)) }

  /// Returns the level of each band; see `SpectrumReading.Unit`.
  /// - Parameters: as many frames as `frameCount`, each.
  func levels(_ left: ArraySlice<Float>, _ right: ArraySlice<Float>) -> [Float] {
    // Two real signals, as the parts of a complex one, need one transform.
    for (index, (one, other)) in zip(left, right).enumerated() {
      input[index] = kiss_fft_cpx(r: window[index] * one, i: window[index] * other)
    }
    kiss_fft(transform, input, &output)
    let half = frameCount / 2
    // A sine as high as full scale has a quarter of the frames as its greatest magnitude.
    let full = Float(frameCount) * Float(frameCount) / 16
    let powers = (0...half).map { bin in
      let (one, other) = (output[bin], output[(frameCount - bin) % frameCount])
      let sum = one.r * one.r + one.i * one.i + other.r * other.r + other.i * other.i
      return sum / 4 / full
    }
    return (0..<SpectrumReading.bandCount).map { band in
      let (low, high) = (edges[band], edges[band + 1])
      guard high <= Double(half) else { return -200 }
      let bins = Int(low.rounded(.up))..<max(Int(low.rounded(.up)), Int(high.rounded(.up)))
      return Self.decibels(powers[bins].max() ?? Self.between(powers, (low + high) / 2))
    }
  }

  /// Returns the power between two bins.
  private static func between(_ powers: [Float], _ bin: Double) -> Float {
    let below = Int(bin)
    let share = Float(bin - Double(below))
    return powers[below] * (1 - share) + powers[min(below + 1, powers.count - 1)] * share
  }

  private static func decibels(_ power: Float) -> Float { UnitMeters.decibels(power.squareRoot()) }
}

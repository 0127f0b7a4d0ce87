// Delays between frames, as in textbooks.

import Foundation

/// The frames around a fractional delay.
public enum Fractional {
  /// Distances and weights of the frames.
  ///
  /// Up to 14 frames, and for whole frames, by Lagrange's polynomial of third order. From 16 frames
  /// on, by a sinc under Kaiser's window, linearly interpolated between 128 points a frame. In
  /// between, by both.
  public static func taps(_ frames: Double) -> [(distance: Int, weight: Double)] {
    let whole = Int(frames.rounded(.down))
    let cubic = (whole - 1...whole + 2)
    let part = frames == Double(whole) ? 0 : min(max((frames - 14) / 2, 0), 1)
    let place = (frames - Double(whole)) * 128
    let step = place.rounded(.down)
    let (low, high) = (kernel(step / 128), kernel((step + 1) / 128))
    return (0..<28).map { tap in
      let own = whole - 13 + tap
      var weight = (low[tap] + (high[tap] - low[tap]) * (place - step)) * part
      if cubic.contains(own) {
        weight +=
          (1 - part)
          * cubic.filter { $0 != own }.reduce(1.0) {
            $0 * (frames - Double($1)) / Double(own - $1)
          }
      }
      return (own, weight)
    }.filter { $0.weight != 0 }
  }

  private static func kernel(_ fraction: Double) -> [Double] {
    func bessel(_ x: Double) -> Double {
      var (sum, term) = (1.0, 1.0)
      for step in 1..<60 {
        term *= x * x / Double(4 * step * step)
        sum += term
      }
      return sum
    }
    let values = (0..<28).map { tap in
      let x = fraction + Double(13 - tap)
      if x == x.rounded() { return x == 0 ? 1.0 : 0 }
      return sin(.pi * x) / (.pi * x) * bessel(10 * (1 - x * x / 196).squareRoot()) / bessel(10)
    }
    let sum = values.reduce(0, +)
    return values.map { $0 / sum }
  }
}

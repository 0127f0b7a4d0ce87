// The interpolation of a long delay line between its frames.

import Glibc

/// The weights of 28 neighbouring frames for a point between the middle two.
///
/// The weights are a sinc under Kaiser's window with β = 10, in a table of 128 points a frame,
/// interpolated linearly. The response is flat within 0.05 dB up to 0.408 of the sample rate (18
/// kHz at 44.1 kHz). At 20 kHz it is −0.11 dB for 48 kHz and −1.9 dB for 44.1 kHz. At no frequency
/// is it above 1.00003, so that it can be used in a feedback loop of 99 %. A point on a frame has
/// that frame only.
struct SincInterpolation: ~Copyable {
  /// Frames on each side.
  static var half: Int { @_noLocks @_noAllocation get { 14 } }
  /// Number of weights.
  static var count: Int { @_noLocks @_noAllocation get { 28 } }
  private static var steps: Int { @_noLocks @_noAllocation get { 128 } }

  private let table: UnsafeMutablePointer<Float>

  /// - Thread: [control]
  init() {
    table = .allocate(capacity: (Self.steps + 1) * Self.count)
    for step in 0...Self.steps {
      let weights = (0..<Self.count).map {
        Self.weight(Double(step) / Double(Self.steps) + Double(Self.half - 1 - $0))
      }
      let sum = weights.reduce(0, +)
      for (tap, weight) in weights.enumerated() {
        (table + step * Self.count + tap).initialize(to: Float(weight / sum))
      }
    }
  }

  deinit { table.deallocate() }

  private static func weight(_ distance: Double) -> Double {
    if distance == distance.rounded() { return distance == 0 ? 1 : 0 }
    let place = distance / Double(half)
    return sin(.pi * distance) / (.pi * distance) * bessel(10 * (1 - place * place).squareRoot())
      / bessel(10)
  }

  /// Writes the weights of the frames around a point, the newest first. The point is `fraction`
  /// before the newer of the middle two frames.
  ///
  /// - Parameter part: the share of these weights, 0 to 1; the rest are those of `short`.
  @_noLocks @_noAllocation @inline(__always)
  func write(
    _ weights: UnsafeMutablePointer<Float>, fraction: Float, part: Float,
    short: CubicInterpolation
  ) {
    let place = fraction * Float(Self.steps)
    let step = min(max(Int(saturating: Double(place)), 0), Self.steps &- 1)
    let between = place - Float(step)
    let (low, high) = (table + step &* Self.count, table + (step &+ 1) &* Self.count)
    var tap = 0
    while tap < Self.count {
      weights[tap] = (low[tap] + (high[tap] - low[tap]) * between) * part
      tap &+= 1
    }
    if part < 1 { short.add(times: 1 - part, to: weights + (Self.half &- 2)) }
  }
}

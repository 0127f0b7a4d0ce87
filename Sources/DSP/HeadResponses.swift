// Measured responses of a head and its ears, ready for rendering.

import Realtime

/// The measurement of one direction.
///
/// - Thread: [any]
public struct HeadMeasurement: Sendable {
  /// The direction, in the axes of `RelativePosition.direction`, of any length above 0.
  public var direction: SpatialVector
  /// The impulse responses of the left and the right ear.
  public var ears: [[Float]]
  /// Frames, at the measured rate, by which each ear's sound is later than in its response.
  public var delays: [Double]

  public init(direction: SpatialVector, ears: [[Float]], delays: [Double] = [0, 0]) {
    self.direction = direction
    self.ears = ears
    self.delays = delays
  }
}

/// The responses of all directions, on a lattice of 5° by 5°, with aligned onsets. The delays are
/// removed from them and blended separately, so that neighbours can be blended.
///
/// A response begins eight frames of the file before its onset, the point where it first reaches a
/// fifth of its peak, and lasts 5 ms. A windowed sinc converts it to the session's rate. A point of
/// the lattice without a measurement has a blend of the three nearest ones, weighted by angle.
/// Noise in front, up to the highest measured frequency, is as loud as by equal power.
///
/// - Thread: [control] to make, [any] otherwise
public final class HeadResponses: @unchecked Sendable {
  /// The responses for the render side, valid as long as this object.
  public let lattice: HeadLattice

  /// The length of a response in seconds.
  public static let seconds = 0.005
  /// The longest difference between delays that is kept, in seconds.
  static let mostDelaySeconds = 0.002

  /// - Parameters:
  ///   - measurements: at least one, each with two ears of at least one sample.
  ///   - measuredRate: the measurements' frames per second.
  ///   - sampleRate: the session's frames per second.
  /// - Complexity: O(measurements · frames of a response)
  public init(_ measurements: [HeadMeasurement], measuredRate: Double, sampleRate: Double) {
    precondition(!measurements.isEmpty)
    let wanted = Int((Self.seconds * sampleRate).rounded(.up))
    let taps =
      (wanted + HeadLattice.partFrames - 1) / HeadLattice.partFrames
      * HeadLattice.partFrames
    let aligner = HeadAligner(ratio: measuredRate / sampleRate, taps: taps)
    var aligned: [Float] = []
    aligned.reserveCapacity(measurements.count * 2 * taps)
    var delays: [Double] = []
    for measurement in measurements {
      for (response, delay) in zip(measurement.ears, measurement.delays) {
        let onset = HeadAligner.onset(response)
        aligner.append(response, from: onset - HeadAligner.lead, to: &aligned)
        delays.append((onset + delay) * sampleRate / measuredRate)
      }
    }
    let first = delays.min() ?? 0
    let most = Self.mostDelaySeconds * sampleRate
    delays = delays.map { SpatialDelay.least + min($0 - first, most) }
    lattice = HeadLattice(taps: taps, mostDelay: SpatialDelay.least + most)
    let directions = measurements.map { $0.direction.scaled(by: 1 / $0.direction.length) }
    for row in 0..<HeadLattice.rows {
      let isPole = row == 0 || row == HeadLattice.rows - 1
      for column in 0..<HeadLattice.columns {
        if isPole && column > 0 {
          lattice.copy(row: row, column: 0, to: column)
        } else {
          lattice.set(
            row: row, column: column,
            Self.nearest(HeadLattice.direction(row: row, column: column), directions), aligned,
            delays)
        }
      }
    }
    // A response of more frames has proportionally less in each.
    let level = Double(lattice.frontLevel) * RealtimeMath.squareRoot(sampleRate / measuredRate)
    lattice.scale(by: Float(1 / level))
  }

  deinit { lattice.deallocate() }

  /// Returns the measurements to blend for a direction, with their weights.
  private static func nearest(
    _ direction: SpatialVector, _ measured: [SpatialVector]
  ) -> [(index: Int, weight: Double)] {
    var best: [(index: Int, cosine: Double)] = []
    for index in measured.indices {
      let cosine = measured[index].dot(direction)
      if best.count == 3 && cosine <= best[2].cosine { continue }
      if best.count == 3 { best.removeLast() }
      best.insert((index, cosine), at: best.firstIndex { $0.cosine < cosine } ?? best.count)
    }
    // Directions within a quarter of a degree count as equal.
    if best[0].cosine > 0.999_990 { return [(best[0].index, 1)] }
    let weights = best.map { 1 / RealtimeMath.arcCosine(max(-1, min(1, $0.cosine))) }
    let sum = weights.reduce(0, +)
    return zip(best, weights).map { ($0.index, $1 / sum) }
  }
}

/// Removes the delay from responses and converts them to another rate.
private struct HeadAligner {
  /// Frames of the file before the onset.
  static let lead = 8.0
  private static let phases = 1024
  private static let halfWidth = 24

  /// Frames of the file per frame of the output.
  private let ratio: Double
  private let taps: Int
  /// One side of the windowed sinc, with `phases` values per frame of the file.
  private let kernel: [Double]
  private let reach: Double

  init(ratio: Double, taps: Int) {
    self.ratio = ratio
    self.taps = taps
    // Below both Nyquist frequencies.
    let cutoff = min(1, 1 / ratio)
    let reach = Double(Self.halfWidth) / cutoff
    self.reach = reach
    kernel = (0...Int(reach * Double(Self.phases)) + 1).map { place in
      let distance = Double(place) / Double(Self.phases)
      if distance >= reach { return 0 }
      let turn = Double.pi * cutoff * distance
      let sinc = turn == 0 ? 1 : RealtimeMath.sine(turn) / turn
      let part = Double.pi * distance / reach
      // Blackman's window.
      return cutoff * sinc
        * (0.42 + 0.5 * RealtimeMath.cosine(part) + 0.08 * RealtimeMath.cosine(2 * part))
    }
  }

  /// Returns the position at which a response first reaches a fifth of its peak, between frames.
  static func onset(_ response: [Float]) -> Double {
    let peak = response.reduce(0) { max($0, abs($1)) }
    let level = peak / 5
    guard let index = response.firstIndex(where: { abs($0) >= level }), index > 0, peak > 0 else {
      return 0
    }
    let (before, there) = (abs(response[index - 1]), abs(response[index]))
    return Double(index) - Double((there - level) / (there - before))
  }

  /// Appends the frames of a response from a position in it on.
  func append(_ response: [Float], from start: Double, to output: inout [Float]) {
    response.withUnsafeBufferPointer { response in
      kernel.withUnsafeBufferPointer { kernel in
        let fadeFrames = taps / 4
        for tap in 0..<taps {
          let place = start + Double(tap) * ratio
          var value = interpolated(response, at: place, kernel) * ratio
          let left = taps - tap
          if left <= fadeFrames {
            let part = Double(left) / Double(fadeFrames + 1)
            value *= 0.5 - 0.5 * RealtimeMath.cosine(.pi * part)
          }
          output.append(Float(value))
        }
      }
    }
  }

  @inline(__always)
  private func interpolated(
    _ response: UnsafeBufferPointer<Float>, at place: Double, _ kernel: UnsafeBufferPointer<Double>
  ) -> Double {
    var index = max(0, Int((place - reach).rounded(.up)))
    let end = min(response.count &- 1, Int((place + reach).rounded(.down)))
    var sum = 0.0
    while index <= end {
      let distance = abs(place - Double(index)) * Double(Self.phases)
      let whole = Int(saturating: distance)
      if whole &+ 1 < kernel.count {
        let part = distance - Double(whole)
        sum +=
          Double(response[index]) * (kernel[whole] + (kernel[whole &+ 1] - kernel[whole]) * part)
      }
      index &+= 1
    }
    return sum
  }
}

// Responses of a head by direction, in the form for rendering.

import Realtime

/// Pairs of responses and of delays, at each 5° of azimuth and of elevation; see `HeadResponses`.
///
/// - Thread: [any]
public struct HeadLattice: @unchecked Sendable, BitwiseCopyable {
  /// The length of a response, a multiple of `partFrames`.
  public let taps: Int
  /// The longest delay, in frames.
  public let mostDelay: Double
  /// The responses by rows, columns and ears.
  private let responses: UnsafeMutablePointer<Float>
  private let delays: UnsafeMutablePointer<Double>

  /// Number of elevations, from straight below to straight above.
  static var rows: Int { @_noLocks @_noAllocation get { 37 } }
  /// Number of azimuths, from the front over the right-hand side.
  static var columns: Int { @_noLocks @_noAllocation get { 72 } }
  /// Number of taps in a partial sum.
  static var partFrames: Int { @_noLocks @_noAllocation get { 16 } }
  private static var degrees: Double { @_noLocks @_noAllocation get { 5 } }

  /// - Thread: [control]
  init(taps: Int, mostDelay: Double) {
    self.taps = taps
    self.mostDelay = mostDelay
    let count = Self.rows * Self.columns * 2
    responses = .allocate(capacity: count * taps)
    responses.initialize(repeating: 0, count: count * taps)
    delays = .allocate(capacity: count)
    delays.initialize(repeating: 0, count: count)
  }

  /// The size in memory, in bytes.
  public var byteCount: Int {
    Self.rows * Self.columns * 2 * (taps * MemoryLayout<Float>.size + MemoryLayout<Double>.size)
  }

  /// - Thread: [control]
  func deallocate() {
    responses.deallocate()
    delays.deallocate()
  }

  // MARK: Make

  static func direction(row: Int, column: Int) -> SpatialVector {
    let elevation = (Double(row) * degrees - 90) * (.pi / 180)
    let azimuth = Double(column) * degrees * (.pi / 180)
    return SpatialVector(
      x: RealtimeMath.sine(azimuth) * RealtimeMath.cosine(elevation),
      y: RealtimeMath.sine(elevation),
      z: -RealtimeMath.cosine(azimuth) * RealtimeMath.cosine(elevation))
  }

  private func node(_ row: Int, _ column: Int) -> Int { 2 * (row * Self.columns + column) }

  /// Sets a point to a blend of aligned responses, stored in pairs like their delays.
  func set(
    row: Int, column: Int, _ parts: [(index: Int, weight: Double)], _ aligned: [Float],
    _ alignedDelays: [Double]
  ) {
    let node = node(row, column)
    aligned.withUnsafeBufferPointer { aligned in
      for (index, weight) in parts {
        let (source, factor) = (2 * index * taps, Float(weight))
        var tap = 0
        while tap < 2 * taps {
          responses[node * taps + tap] += aligned[source + tap] * factor
          tap += 1
        }
        delays[node] += alignedDelays[2 * index] * weight
        delays[node + 1] += alignedDelays[2 * index + 1] * weight
      }
    }
  }

  func copy(row: Int, column: Int, to other: Int) {
    let (source, target) = (node(row, column), node(row, other))
    (responses + target * taps).update(from: responses + source * taps, count: 2 * taps)
    (delays + target).update(from: delays + source, count: 2)
  }

  /// The gain of noise in front, by its power in both ears.
  var frontLevel: Float {
    let node = node(Self.rows / 2, 0)
    var sum = 0.0
    for tap in 0..<2 * taps {
      let value = Double(responses[node * taps + tap])
      sum += value * value
    }
    return sum > 0 ? Float(RealtimeMath.squareRoot(sum)) : 1
  }

  func scale(by factor: Float) {
    for place in 0..<Self.rows * Self.columns * 2 * taps { responses[place] *= factor }
  }

  // MARK: Read

  /// Returns the delays of a direction, left and right, in frames, in the form for a glide.
  @_noLocks @_noAllocation
  public func place(_ direction: SpatialVector) -> SIMD4<Double> {
    let cell = Cell(direction)
    return SIMD4(delay(cell, 0), delay(cell, 1), 0, 0)
  }

  @_noLocks @_noAllocation
  private func delay(_ cell: Cell, _ ear: Int) -> Double {
    delays[cell.nodes.0 &+ ear] * cell.weights.0 + delays[cell.nodes.1 &+ ear] * cell.weights.1
      + delays[cell.nodes.2 &+ ear] * cell.weights.2 + delays[cell.nodes.3 &+ ear] * cell.weights.3
  }

  /// Writes both responses of a direction, the left one first.
  /// - Parameter output: room for 2 · `taps`.
  /// - Complexity: O(taps)
  @_noLocks @_noAllocation
  public func blend(_ direction: SpatialVector, to output: UnsafeMutablePointer<Float>) {
    let cell = Cell(direction)
    let (a, b) = (responses + cell.nodes.0 &* taps, responses + cell.nodes.1 &* taps)
    let (c, d) = (responses + cell.nodes.2 &* taps, responses + cell.nodes.3 &* taps)
    let (p, q) = (Float(cell.weights.0), Float(cell.weights.1))
    let (r, s) = (Float(cell.weights.2), Float(cell.weights.3))
    var tap = 0
    while tap < 2 &* taps {
      output[tap] = (a[tap] * p + b[tap] * q) + (c[tap] * r + d[tap] * s)
      tap &+= 1
    }
  }

  /// The four points around a direction.
  private struct Cell: BitwiseCopyable {
    let nodes: (Int, Int, Int, Int)
    let weights: (Double, Double, Double, Double)

    /// Finds the points and their weights. A vector without a direction counts as in front.
    @_noLocks @_noAllocation
    init(_ direction: SpatialVector) {
      let isNowhere = direction.dot(direction) < 1e-12
      let level = RealtimeMath.squareRoot(
        direction.x * direction.x + direction.z * direction.z)
      let scale = 180 / (Double.pi * HeadLattice.degrees)
      let elevation = isNowhere ? 0 : RealtimeMath.angle(y: direction.y, x: level)
      let azimuth = isNowhere ? 0 : RealtimeMath.angle(y: direction.x, x: -direction.z)
      let upwards = HeadLattice.held(
        elevation * scale + Double(HeadLattice.rows &- 1) / 2, HeadLattice.rows &- 1)
      let around = HeadLattice.held(
        azimuth < 0 ? azimuth * scale + Double(HeadLattice.columns) : azimuth * scale,
        HeadLattice.columns)
      let (row, column) = (Int(saturating: upwards), Int(saturating: around))
      let (up, on) = (upwards - Double(row), around - Double(column))
      let above = min(row &+ 1, HeadLattice.rows &- 1)
      let first = column == HeadLattice.columns ? 0 : column
      let next = column &+ 1 >= HeadLattice.columns ? 0 : column &+ 1
      nodes = (
        2 &* (row &* HeadLattice.columns &+ first), 2 &* (row &* HeadLattice.columns &+ next),
        2 &* (above &* HeadLattice.columns &+ first), 2 &* (above &* HeadLattice.columns &+ next)
      )
      weights = ((1 - up) * (1 - on), (1 - up) * on, up * (1 - on), up * on)
    }
  }

  @_noLocks @_noAllocation
  private static func held(_ value: Double, _ most: Int) -> Double {
    value > 0 ? (value < Double(most) ? value : Double(most)) : 0
  }
}

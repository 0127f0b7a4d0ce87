// The rendering of one frame of a two-pole filter, or of four at once.

/// The coefficients of a state-variable filter of a `BandShape`, by the trapezoidal rule. With the
/// two states `band` and `low`, a frame is
///
///     output = direct · input + fromBand · band + fromLow · low
///     band'  = retain · band + cross · (input − low)
///     low'   = low + cross · band + pass · (input − low)
struct EqualizerStep: BitwiseCopyable {
  var retain: Double
  var cross: Double
  var keep: Double
  var pass: Double
  var direct: Double
  var fromBand: Double
  var fromLow: Double

  /// Creates a step that passes its input unchanged.
  @_noLocks @_noAllocation
  init() {
    retain = 0
    cross = 0
    keep = 0
    pass = 0
    direct = 1
    fromBand = 0
    fromLow = 0
  }

  @_noLocks @_noAllocation @inline(__always)
  init(_ shape: BandShape) {
    let a1 = 1 / (1 + shape.g * (shape.g + shape.k))
    let a2 = shape.g * a1
    let a3 = shape.g * a2
    let (m1, m2) = (shape.c1 - shape.k * shape.c2, shape.c0 - shape.c2)
    retain = 2 * a1 - 1
    cross = 2 * a2
    pass = 2 * a3
    keep = 1 - pass
    direct = shape.c2 + m1 * a2 + m2 * a3
    fromBand = m1 * a1 + m2 * a2
    fromLow = m2 * (1 - a3) - m1 * a2
  }

  /// Renders a frame. The operations and their order are those of `EqualizerLanes.next`, so that
  /// results are bit-identical.
  @_noLocks @_noAllocation @inline(__always)
  func next(_ input: Double, _ band: inout Double, _ low: inout Double) -> Double {
    let output = (direct * input + fromBand * band) + fromLow * low
    // The value that is ready last comes last in each sum.
    let nextBand = (cross * input + retain * band) - cross * low
    low = (pass * input + cross * band) + keep * low
    band = nextBand
    return output
  }
}

/// Four filters in series, each a frame behind the one before it, so that all four render a frame
/// at once.
///
/// Their numbers are stored in fours: `EqualizerStep`'s in their order, then the states.
struct EqualizerLanes: BitwiseCopyable {
  private let numbers: UnsafeMutablePointer<Double>

  static var laneCount: Int { @_noLocks @_noAllocation get { 4 } }
  /// Numbers in the memory of four filters.
  static var numberCount: Int { @_noLocks @_noAllocation get { 36 } }

  @_noLocks @_noAllocation
  init(_ numbers: UnsafeMutablePointer<Double>) { self.numbers = numbers }

  @_noLocks @_noAllocation
  func set(_ lane: Int, _ step: EqualizerStep) {
    numbers[lane] = step.retain
    numbers[4 &+ lane] = step.cross
    numbers[8 &+ lane] = step.keep
    numbers[12 &+ lane] = step.pass
    numbers[16 &+ lane] = step.direct
    numbers[20 &+ lane] = step.fromBand
    numbers[24 &+ lane] = step.fromLow
  }

  @_noLocks @_noAllocation
  func step(_ lane: Int) -> EqualizerStep {
    var step = EqualizerStep()
    step.retain = numbers[lane]
    step.cross = numbers[4 &+ lane]
    step.keep = numbers[8 &+ lane]
    step.pass = numbers[12 &+ lane]
    step.direct = numbers[16 &+ lane]
    step.fromBand = numbers[20 &+ lane]
    step.fromLow = numbers[24 &+ lane]
    return step
  }

  /// Returns the states of one of the filters.
  @_noLocks @_noAllocation
  func states(_ lane: Int) -> (band: Double, low: Double) {
    (numbers[28 &+ lane], numbers[32 &+ lane])
  }

  @_noLocks @_noAllocation
  func setStates(_ lane: Int, band: Double, low: Double) {
    numbers[28 &+ lane] = band
    numbers[32 &+ lane] = low
  }

  @_noLocks @_noAllocation
  func reset() {
    var place = 28
    while place < Self.numberCount {
      numbers[place] = 0
      place &+= 1
    }
  }

  /// Filters samples through all four while their coefficients are constant.
  /// - Complexity: O(count)
  @_noLocks @_noAllocation
  func process(_ samples: UnsafeMutablePointer<Double>, count: Int) {
    var run = Run(numbers)
    var frame = 0
    while frame < min(3, count &+ 3) {
      run.next(frame < count ? samples[frame] : 0, frame, count)
      frame &+= 1
    }
    while frame < count {
      samples[frame &- 3] = run.next(samples[frame])
      frame &+= 1
    }
    while frame < count &+ 3 {
      samples[frame &- 3] = run.next(0, frame, count)
      frame &+= 1
    }
    run.store(to: numbers)
  }

  /// The numbers of four filters as vectors.
  private struct Run {
    let retain: SIMD4<Double>
    let cross: SIMD4<Double>
    let keep: SIMD4<Double>
    let pass: SIMD4<Double>
    let direct: SIMD4<Double>
    let fromBand: SIMD4<Double>
    let fromLow: SIMD4<Double>
    var band: SIMD4<Double>
    var low: SIMD4<Double>
    var output = SIMD4<Double>(repeating: 0)

    @_noLocks @_noAllocation @inline(__always)
    init(_ numbers: UnsafeMutablePointer<Double>) {
      retain = Self.four(numbers)
      cross = Self.four(numbers + 4)
      keep = Self.four(numbers + 8)
      pass = Self.four(numbers + 12)
      direct = Self.four(numbers + 16)
      fromBand = Self.four(numbers + 20)
      fromLow = Self.four(numbers + 24)
      band = Self.four(numbers + 28)
      low = Self.four(numbers + 32)
    }

    @_noLocks @_noAllocation @inline(__always)
    private static func four(_ numbers: UnsafeMutablePointer<Double>) -> SIMD4<Double> {
      SIMD4(numbers[0], numbers[1], numbers[2], numbers[3])
    }

    @_noLocks @_noAllocation @inline(__always)
    private static func store(_ value: SIMD4<Double>, to numbers: UnsafeMutablePointer<Double>) {
      numbers[0] = value.x
      numbers[1] = value.y
      numbers[2] = value.z
      numbers[3] = value.w
    }

    @_noLocks @_noAllocation @inline(__always)
    func store(to numbers: UnsafeMutablePointer<Double>) {
      Self.store(band, to: numbers + 28)
      Self.store(low, to: numbers + 32)
    }

    /// Renders a frame with the first filter, and with each other the one before.
    /// - Returns: the output of the last filter.
    @_noLocks @_noAllocation @inline(__always)
    mutating func next(_ sample: Double) -> Double {
      let input = SIMD4(sample, output.x, output.y, output.z)
      output = (direct * input + fromBand * band) + fromLow * low
      let nextBand = (cross * input + retain * band) - cross * low
      low = (pass * input + cross * band) + keep * low
      band = nextBand
      return output.w
    }

    /// Renders a frame in which some filters have no frame yet, or none any more; their states
    /// stay.
    @_noLocks @_noAllocation @inline(__always) @discardableResult
    mutating func next(_ sample: Double, _ frame: Int, _ count: Int) -> Double {
      let (formerBand, formerLow) = (band, low)
      let output = next(sample)
      let lanes = SIMD4<Double>(0, 1, 2, 3)
      let isIdle =
        (lanes .> Double(frame)) .| (lanes .<= Double(frame &- count))
      band.replace(with: formerBand, where: isIdle)
      low.replace(with: formerLow, where: isIdle)
      return output
    }
  }
}

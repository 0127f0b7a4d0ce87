// The curves of a distortion, and their evaluation with little aliasing.

/// A curve that distorts samples.
public enum DistortionShape: Sendable, BitwiseCopyable, CaseIterable {
  /// x − 4 x³ / 27 up to ±1.5, ±1 beyond: rounded, and softer for quieter sounds.
  case soft
  /// The soft curve off its middle, f(x + ½) − f(½): the halves of a wave become different.
  case tube
  /// x limited to ±1.
  case hard
  /// sin(π x / 2): loud samples fold back.
  case fold
  /// |x|: an octave higher.
  case octave

  /// Creates the shape with an index in the order of the cases; the last one for any other index.
  @_noLocks @_noAllocation
  public init(place: Int) {
    switch place {
    case 0: self = .soft
    case 1: self = .tube
    case 2: self = .hard
    case 3: self = .fold
    default: self = .octave
    }
  }

  /// The shape's index in the order of the cases, for comparison.
  var place: Int {
    @_noLocks @_noAllocation get {
      switch self {
      case .soft: 0
      case .tube: 1
      case .hard: 2
      case .fold: 3
      case .octave: 4
      }
    }
  }

  /// Shapes samples. Each becomes the mean of the curve between the previous sample and it,
  /// (F(x) − F(x′)) / (x − x′), with F the curve's integral. This damps aliasing, and delays by
  /// half a sample. (J. Parker et al., Reducing the Aliasing of Nonlinear Waveshaping, DAFx 2016.)
  ///
  /// - Parameters:
  ///   - input: `count` + 1 samples, the previous one first.
  ///   - integrals: room for as many.
  /// - Complexity: O(count)
  @_noLocks @_noAllocation
  func process(
    _ input: UnsafePointer<Double>, integrals: UnsafeMutablePointer<Double>,
    to output: UnsafeMutablePointer<Double>, count: Int
  ) {
    switch self {
    case .soft: Self.process(SoftCurve(bias: 0), input, integrals, output, count)
    case .tube: Self.process(SoftCurve(bias: 0.5), input, integrals, output, count)
    case .hard: Self.process(HardCurve(), input, integrals, output, count)
    case .fold: Self.process(FoldCurve(), input, integrals, output, count)
    case .octave: Self.process(OctaveCurve(), input, integrals, output, count)
    }
  }

  /// Shapes samples with one curve. Specialised, and checked, in each of the calls above.
  @inline(__always)
  private static func process<Curve: DistortionCurve>(
    _ curve: Curve, _ input: UnsafePointer<Double>, _ integrals: UnsafeMutablePointer<Double>,
    _ output: UnsafeMutablePointer<Double>, _ count: Int
  ) {
    var index = 0
    while index <= count {
      integrals[index] = curve.integral(input[index])
      index &+= 1
    }
    index = 0
    while index < count {
      let step = input[index &+ 1] - input[index]
      let middle = curve.value((input[index &+ 1] + input[index]) * 0.5)
      let mean = (integrals[index &+ 1] - integrals[index]) / step
      // Between almost equal samples the quotient has no digits left.
      output[index] = step < 1e-6 && step > -1e-6 ? middle : mean
      index &+= 1
    }
  }
}

private protocol DistortionCurve {
  @_noLocks @_noAllocation
  func value(_ x: Double) -> Double
  @_noLocks @_noAllocation
  func integral(_ x: Double) -> Double
}

private struct SoftCurve: DistortionCurve {
  let bias: Double
  let rest: Double

  @_noLocks @_noAllocation @inline(__always)
  init(bias: Double) {
    self.bias = bias
    rest = bias - bias * bias * bias * (4.0 / 27)
  }

  @_noLocks @_noAllocation @inline(__always)
  private func held(_ x: Double) -> Double { x < -1.5 ? -1.5 : x > 1.5 ? 1.5 : x }

  @_noLocks @_noAllocation @inline(__always)
  func value(_ x: Double) -> Double {
    let c = held(x + bias)
    return c - c * c * c * (4.0 / 27) - rest
  }

  @_noLocks @_noAllocation @inline(__always)
  func integral(_ x: Double) -> Double {
    let c = held(x + bias)
    let square = c * c
    // Beyond ±1.5 it rises by 1 for each.
    let beyond = (x + bias - c) * (c < 0 ? -1 : 1)
    return square * 0.5 - square * square * (1.0 / 27) + beyond - rest * x
  }
}

private struct HardCurve: DistortionCurve {
  @_noLocks @_noAllocation @inline(__always)
  init() {}

  @_noLocks @_noAllocation @inline(__always)
  func value(_ x: Double) -> Double { x < -1 ? -1 : x > 1 ? 1 : x }

  @_noLocks @_noAllocation @inline(__always)
  func integral(_ x: Double) -> Double {
    let c = value(x)
    return c * x - c * c * 0.5
  }
}

private struct FoldCurve: DistortionCurve {
  @_noLocks @_noAllocation @inline(__always)
  init() {}

  @_noLocks @_noAllocation @inline(__always)
  func value(_ x: Double) -> Double { Self.sine(x * 0.25) }

  @_noLocks @_noAllocation @inline(__always)
  func integral(_ x: Double) -> Double { Self.sine(x * 0.25 - 0.25) * (2 / Double.pi) }

  /// Returns the sine of a phase in turns, to 14 digits.
  @_noLocks @_noAllocation @inline(__always)
  private static func sine(_ turns: Double) -> Double {
    // Adding 1.5 · 2⁵² rounds to a whole number.
    let whole = (turns + 6_755_399_441_055_744) - 6_755_399_441_055_744
    let rest = turns - whole
    let place = rest > 0.25 ? 0.5 - rest : rest < -0.25 ? -0.5 - rest : rest
    let x = place * (2 * Double.pi)
    let square = x * x
    // Taylor's series up to x¹⁹.
    var sum = -8.220_635_246_624_33e-18
    sum = sum * square + 2.811_457_254_345_520_6e-15
    sum = sum * square - 7.647_163_731_819_816e-13
    sum = sum * square + 1.605_904_383_682_161_3e-10
    sum = sum * square - 2.505_210_838_544_172e-8
    sum = sum * square + 2.755_731_922_398_589_3e-6
    sum = sum * square - 1.984_126_984_126_984e-4
    sum = sum * square + 8.333_333_333_333_333e-3
    sum = sum * square - 0.166_666_666_666_666_66
    return (sum * square + 1) * x
  }
}

private struct OctaveCurve: DistortionCurve {
  @_noLocks @_noAllocation @inline(__always)
  init() {}

  @_noLocks @_noAllocation @inline(__always)
  func value(_ x: Double) -> Double { x < 0 ? -x : x }

  @_noLocks @_noAllocation @inline(__always)
  func integral(_ x: Double) -> Double { value(x) * x * 0.5 }
}

// Curves from 0…1 to 0…1, for values played by hand.

import Realtime

/// A curve from an input to an output. Raw values are parameter values and never change.
package enum ResponseCurve: Int, BitwiseCopyable {
  /// y = x.
  case linear = 0
  /// y = (e^kx − 1) / (e^k − 1), slow at first; k is the shape.
  case exponential = 1
  /// y = ln(1 + x (e^k − 1)) / k, fast at first: the exponential curve's inverse.
  case logarithmic = 2

  /// The curve of a raw value; the linear one for others.
  @_noLocks @_noAllocation
  static func numbered(_ number: Int) -> ResponseCurve {
    switch number {
    case 1: return .exponential
    case 2: return .logarithmic
    default: return .linear
    }
  }

  /// Calls the functions that rendering calls, so that the dynamic linker has bound them before.
  /// - Thread: [control]
  package static func bind() {
    let value = exponential.value(0.5, shape: 1) + logarithmic.value(0.5, shape: 1)
    precondition(value.isFinite)
  }

  /// - Parameters:
  ///   - x: 0…1.
  ///   - shape: above 0; a larger one is further from a straight line.
  @_noLocks @_noAllocation
  package func value(_ x: Double, shape: Double) -> Double {
    switch self {
    case .linear: return x
    case .exponential:
      return (Vouched.exponential(shape * x) - 1) / (Vouched.exponential(shape) - 1)
    case .logarithmic:
      return Vouched.naturalLogarithm(1 + x * (Vouched.exponential(shape) - 1)) / shape
    }
  }
}

extension ResponseCurve {
  /// The input for an output: the inverse of the curve.
  @_noLocks @_noAllocation
  package func input(_ y: Double, shape: Double) -> Double {
    switch self {
    case .linear: return y
    case .exponential: return ResponseCurve.logarithmic.value(y, shape: shape)
    case .logarithmic: return ResponseCurve.exponential.value(y, shape: shape)
    }
  }
}

/// A parameter's value limited to a range; the lower bound for NaN.
@_noLocks @_noAllocation
func number(_ value: Float, from low: Double, through high: Double) -> Double {
  let value = Double(value)
  return value > low ? (value < high ? value : high) : low
}

/// The whole number nearest to a number that is not negative.
@_noLocks @_noAllocation
func rounded(_ value: Double) -> Int { Int(saturating: value + 0.5) }

/// `value` limited to 0…1.
@_noLocks @_noAllocation
func unitInterval(_ value: Double) -> Double { value > 0 ? (value < 1 ? value : 1) : 0 }

// Reproducible random numbers.

import Glibc
import UnitModel

/// SplitMix64, by Steele, Lea and Flood (2014).
struct SeededSource: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension Parameter {
  /// Returns a random value of the range, an integer for a parameter of whole numbers.
  func value(using random: inout SeededSource) -> Float {
    if isWhole {
      return Float(Int.random(in: Int(minValue.rounded(.up))...Int(maxValue), using: &random))
    }
    guard flags.contains(.displayLogarithmic), minValue > 0 else {
      return Float.random(in: range, using: &random)
    }
    let part = Float.random(in: 0...1, using: &random)
    return min(maxValue, max(minValue, minValue * exp(part * log(maxValue / minValue))))
  }

  /// An end of the range that is not the default.
  var farValue: Float { defaultValue == maxValue ? minValue : maxValue }
}

extension AudioUnit {
  /// Parameters that can be set.
  var writableParameters: [Parameter] {
    parameterTree.allParameters.filter { $0.flags.contains(.writable) }
  }

  /// Parameters whose changes are events of the render side.
  var schedulableParameters: [Parameter] {
    writableParameters.filter { !$0.flags.contains(.nonRealTime) }
  }

  /// Sets all parameters to random values of a seed, except those that the unit refuses.
  func setRandomValues(seed: UInt64) throws {
    var random = SeededSource(seed)
    for parameter in writableParameters {
      do throws(ParameterError) {
        try parameter.setValue(parameter.value(using: &random))
      } catch .refused(_, _) {}
    }
  }
}

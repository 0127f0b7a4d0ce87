// Random values of parameters.

import Glibc
import Platform
import UnitModel

extension Parameter {
  /// Returns a random value of the range, an integer for a parameter of whole numbers.
  func value(using random: inout SplitMix) -> Float {
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
    var random = SplitMix(seed: seed)
    for parameter in writableParameters {
      do throws(ParameterError) {
        try parameter.setValue(parameter.value(using: &random))
      } catch .refused(_, _) {}
    }
  }
}

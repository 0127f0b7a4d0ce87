// What the compiler cannot see into: functions of the C mathematics library.
//
// Each is a pure function of its argument: glibc computes it with tables in read-only memory and
// touches nothing else but the thread's own `errno` and floating-point flags. Checked by reading
// glibc's sources and by rendering ramps under RealtimeSanitizer. The dynamic linker may bind a
// function at its first call; a filter's set-up calls each once, so that this is over before
// rendering starts.

import Glibc

enum Vouched {
  /// The tangent of an angle in radians.
  @_semantics("no_performance_analysis") @inline(never)
  static func tangent(_ radians: Double) -> Double { tan(radians) }

  /// Two to the power of `exponent`.
  @_semantics("no_performance_analysis") @inline(never)
  static func powerOfTwo(_ exponent: Double) -> Double { exp2(exponent) }

  /// The square root; the standard library's goes through a C function that the compiler cannot see.
  @_semantics("no_performance_analysis") @inline(never)
  static func squareRoot(_ value: Double) -> Double { value.squareRoot() }
}

// What the compiler cannot see into: functions of the C mathematics library.
//
// Each is a pure function of its argument: it reads constant tables and writes at most `errno` and
// the floating-point flags, which are the thread's own. How that was checked: glibc 2.36's libm
// imports no allocator and no lock (`nm -D --undefined-only`), and ramps over the whole range run
// clean under RealtimeSanitizer. The dynamic linker may bind a function at its first call; creating
// a filter calls those that rendering needs, so that this is over before rendering starts.

import Glibc

enum Vouched {
  /// The tangent of an angle in radians.
  @_semantics("no_performance_analysis") @inline(never)
  static func tangent(_ radians: Double) -> Double { tan(radians) }

  /// The sine of an angle in radians.
  @_semantics("no_performance_analysis") @inline(never)
  static func sine(_ radians: Double) -> Double { sin(radians) }

  /// The angle in radians, 0 to π, of a cosine from −1 to 1.
  @_semantics("no_performance_analysis") @inline(never)
  static func arcCosine(_ cosine: Double) -> Double { acos(cosine) }

  /// The angle in radians of the point (x, y), −π to π.
  @_semantics("no_performance_analysis") @inline(never)
  static func angle(y: Double, x: Double) -> Double { atan2(y, x) }

  /// The cosine of an angle in radians.
  @_semantics("no_performance_analysis") @inline(never)
  static func cosine(_ radians: Double) -> Double { cos(radians) }

  /// e to the power of `exponent`.
  @_semantics("no_performance_analysis") @inline(never)
  static func exponential(_ exponent: Double) -> Double { exp(exponent) }

  /// Two to the power of `exponent`.
  @_semantics("no_performance_analysis") @inline(never)
  static func powerOfTwo(_ exponent: Double) -> Double { exp2(exponent) }

  /// The logarithm to the base e.
  @_semantics("no_performance_analysis") @inline(never)
  static func naturalLogarithm(_ value: Double) -> Double { log(value) }

  /// The square root; the standard library's goes through a C function that the compiler cannot
  /// see.
  @_semantics("no_performance_analysis") @inline(never)
  static func squareRoot(_ value: Double) -> Double { value.squareRoot() }
}

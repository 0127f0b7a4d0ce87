// The C calls of the stages: pure functions of glibc's libm, which read tables and touch nothing
// else but the thread's floating-point flags. Checked in glibc's sources: they neither allocate nor
// lock.

import Glibc

enum Vouched {
  /// e to the power of `exponent`.
  @_semantics("no_performance_analysis") @inline(never)
  static func exponential(_ exponent: Double) -> Double { exp(exponent) }

  /// The natural logarithm of a number above 0.
  @_semantics("no_performance_analysis") @inline(never)
  static func naturalLogarithm(_ value: Double) -> Double { log(value) }

  /// The square root of a number that is not negative.
  @_semantics("no_performance_analysis") @inline(never)
  static func squareRoot(_ value: Double) -> Double { value.squareRoot() }
}

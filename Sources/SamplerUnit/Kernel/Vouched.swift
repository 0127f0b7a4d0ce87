// Functions of the C mathematics library that the compiler cannot check.
//
// Each is a pure function of glibc: it reads tables and touches only the thread's floating-point
// flags. Checked as those of the target `DSP`. Calls of FluidSynth are in the target
// `FluidSynthPool`.

import Glibc

enum Vouched {
  /// Two to the power of `exponent`.
  @_semantics("no_performance_analysis") @inline(never)
  static func powerOfTwo(_ exponent: Double) -> Double { exp2(exponent) }

  /// The binary logarithm of a number above 0.
  @_semantics("no_performance_analysis") @inline(never)
  static func binaryLogarithm(_ value: Double) -> Double { log2(value) }

  /// The linear gain of a level in decibels: 10^(decibels/20), and silence at the range's end of
  /// −60.
  @_noLocks @_noAllocation
  static func amplitude(decibels: Double) -> Float {
    // log2(10) / 20
    decibels <= -60 ? 0 : decibels == 0 ? 1 : Float(powerOfTwo(decibels * 0.166_096_404_744_368_12))
  }
}

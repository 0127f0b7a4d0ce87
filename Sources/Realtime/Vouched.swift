// Functions of the C mathematics library, which the compiler cannot check.
//
// Each is a pure function of its argument: it reads constant tables and writes at most `errno` and
// the floating-point flags, which are the thread's own. How that was checked: glibc 2.36's libm
// imports no allocator and no lock (`nm -D --undefined-only`), and ramps over the whole range run
// clean under RealtimeSanitizer. The dynamic linker may bind a function at its first call, which
// takes its lock: the command is linked so that this is over at its start, and a program of others
// calls those that its kernel needs where it makes the kernel, as ours do.

import Glibc

/// Functions of the C mathematics library that a kernel may call.
///
/// - Thread: [any]
public enum RealtimeMath {
  /// Returns the tangent of an angle in radians.
  @_semantics("no_performance_analysis") @inline(never)
  public static func tangent(_ radians: Double) -> Double { tan(radians) }

  /// Returns the sine of an angle in radians.
  @_semantics("no_performance_analysis") @inline(never)
  public static func sine(_ radians: Double) -> Double { sin(radians) }

  /// Returns the angle in radians, 0 to π, of a cosine from −1 to 1.
  @_semantics("no_performance_analysis") @inline(never)
  public static func arcCosine(_ cosine: Double) -> Double { acos(cosine) }

  /// Returns the angle in radians of the point (x, y), −π to π.
  @_semantics("no_performance_analysis") @inline(never)
  public static func angle(y: Double, x: Double) -> Double { atan2(y, x) }

  /// Returns the cosine of an angle in radians.
  @_semantics("no_performance_analysis") @inline(never)
  public static func cosine(_ radians: Double) -> Double { cos(radians) }

  /// Returns e to the power of `exponent`.
  @_semantics("no_performance_analysis") @inline(never)
  public static func exponential(_ exponent: Double) -> Double { exp(exponent) }

  /// Returns two to the power of `exponent`.
  @_semantics("no_performance_analysis") @inline(never)
  public static func powerOfTwo(_ exponent: Double) -> Double { exp2(exponent) }

  /// Returns the logarithm to the base e.
  @_semantics("no_performance_analysis") @inline(never)
  public static func naturalLogarithm(_ value: Double) -> Double { log(value) }

  /// Returns the square root; the standard library's calls a C function that the compiler cannot
  /// check.
  @_semantics("no_performance_analysis") @inline(never)
  public static func squareRoot(_ value: Double) -> Double { value.squareRoot() }

  /// Returns the hyperbolic tangent, −1 to 1.
  @_semantics("no_performance_analysis") @inline(never)
  public static func hyperbolicTangent(_ value: Double) -> Double { tanh(value) }

  /// Returns `base` to the power of `exponent`.
  @_semantics("no_performance_analysis") @inline(never)
  public static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
}

// Conversion of decibels, several frames at once.

/// Decibels of amplitudes, and back, without a function of the C mathematics library: loops over
/// frames become vector instructions.
enum Decibels {
  /// Returns 20 log₁₀ of an amplitude, to 2·10⁻⁵ dB.
  ///
  /// - Parameter amplitude: a normal number above 0.
  @_noLocks @_noAllocation @inline(__always)
  static func of(_ amplitude: Float) -> Float {
    // m · 2ⁿ with m between √½ and √2.
    let bits = Int32(bitPattern: amplitude.bitPattern)
    let exponent = (bits &- 0x3f35_04f3) &>> 23
    let mantissa = Float(bitPattern: UInt32(bitPattern: bits &- (exponent &<< 23)))
    // ln m = 2 (s + s³/3 + s⁵/5 + …)
    let s = (mantissa - 1) / (mantissa + 1)
    let square = s * s
    var sum: Float = 2.0 / 9
    sum = sum * square + 2.0 / 7
    sum = sum * square + 2.0 / 5
    sum = sum * square + 2.0 / 3
    sum = (sum * square + 2) * s
    // 20 / ln 10, and 20 log₁₀ 2
    return sum * 8.685_889_6 + Float(exponent) * 6.020_6
  }

  /// Returns the amplitude of decibels, to 10⁻⁵ dB: exactly 1 for 0.
  ///
  /// - Parameter decibels: −700 to 700.
  @_noLocks @_noAllocation @inline(__always)
  static func amplitude(_ decibels: Float) -> Float {
    // log₂(10) / 20
    let turns = decibels * 0.166_096_4
    // Adding 1.5 · 2²³ rounds to a whole number.
    let whole = (turns + 12_582_912) - 12_582_912
    let x = (turns - whole) * 0.693_147_2
    var sum: Float = 1.0 / 5040
    sum = sum * x + 1.0 / 720
    sum = sum * x + 1.0 / 120
    sum = sum * x + 1.0 / 24
    sum = sum * x + 1.0 / 6
    sum = sum * x + 1.0 / 2
    sum = sum * x + 1
    sum = sum * x + 1
    let exponent = (turns + 12_582_912).bitPattern &- 0x4b40_0000
    return Float(bitPattern: sum.bitPattern &+ (exponent &<< 23))
  }
}

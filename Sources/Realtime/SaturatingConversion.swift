// Conversion of arbitrary values to integers.

import CRealtime

extension Int {
  /// Converts the whole part of a value, clamped to ±2⁶²; 0 for NaN.
  /// - Thread: [any]
  @_noLocks @_noAllocation @inlinable
  public init(saturating value: Double) {
    let limit = 4_611_686_018_427_387_904.0
    if value > -limit && value < limit {
      self = Int(truncatingIfNeeded: wholePart(value))
    } else {
      self = value > 0 ? 1 << 62 : value < 0 ? -1 << 62 : 0
    }
  }
}

extension Int32 {
  /// Converts the whole part of a value, clamped to the range of `Int32`; 0 for NaN.
  /// - Thread: [any]
  @_noLocks @_noAllocation @inlinable
  public init(saturating value: Double) {
    let whole = Int(saturating: value)
    self =
      whole > 2_147_483_647
      ? .max : whole < -2_147_483_648 ? .min : Int32(truncatingIfNeeded: whole)
  }
}

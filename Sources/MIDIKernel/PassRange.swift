// Sets of MIDI values as stages keep them: a range with two ends, and bits.

/// The values from `low` through `high`; with `low` above `high`, the values outside the gap between.
struct PassRange: BitwiseCopyable {
  var low = 0
  var high = 127

  /// Counted from the low end up, and on from 0 behind 127, the values come before the others.
  @_noLocks @_noAllocation @inline(__always)
  func contains(_ value: Int) -> Bool { (value &- low) & 127 <= (high &- low) & 127 }

  /// Whether it has all values from one through 127.
  @_noLocks @_noAllocation
  func isWhole(from first: Int = 0) -> Bool {
    low <= high ? low <= first && high == 127 : low == high + 1
  }
}

extension UInt16 {
  @_noLocks @_noAllocation @inline(__always)
  func has(bit: Int) -> Bool { self >> UInt16(truncatingIfNeeded: bit & 15) & 1 != 0 }

  @_noLocks @_noAllocation
  func with(bit: Int, _ isOn: Bool) -> UInt16 {
    let mask = UInt16(1) << UInt16(truncatingIfNeeded: bit & 15)
    return isOn ? self | mask : self & ~mask
  }
}

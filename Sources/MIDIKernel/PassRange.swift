// Sets of MIDI values as stages keep them: a range with two ends, and bits.

/// The values from `low` through `high`; with `low` above `high`, the values outside the gap between.
struct PassRange: BitwiseCopyable {
  var low = 0
  var high = 127

  @_noLocks @_noAllocation
  func contains(_ value: Int) -> Bool {
    low <= high ? value >= low && value <= high : value >= low || value <= high
  }
}

extension UInt16 {
  @_noLocks @_noAllocation
  func has(bit: Int) -> Bool { self >> UInt16(truncatingIfNeeded: bit & 15) & 1 != 0 }

  @_noLocks @_noAllocation
  func with(bit: Int, _ isOn: Bool) -> UInt16 {
    let mask = UInt16(1) << UInt16(truncatingIfNeeded: bit & 15)
    return isOn ? self | mask : self & ~mask
  }
}

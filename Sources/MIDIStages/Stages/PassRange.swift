// Sets of MIDI values as stages keep them: a range with two ends, and bits.

/// The values from `low` through `high`; with `low` above `high`, the values outside the gap
/// between.
struct PassRange: BitwiseCopyable {
  private(set) var low = 0
  private(set) var high = 127
  /// The distance from the low end up to the high one, modulo 128.
  private var last = 127

  /// - Thread: [any]
  @_noLocks @_noAllocation
  init(low: Int = 0) {
    self.low = low
    last = 127 - low
  }

  @_noLocks @_noAllocation
  mutating func set(low: Int) {
    self.low = low
    last = (high &- low) & 127
  }

  @_noLocks @_noAllocation
  mutating func set(high: Int) {
    self.high = high
    last = (high &- low) & 127
  }

  @_noLocks @_noAllocation @inline(__always)
  func contains(_ value: Int) -> Bool { (value &- low) & 127 <= last }
}

extension UInt16 {
  @_noLocks @_noAllocation @inline(__always)
  func has(bit: Int) -> Bool { self >> UInt16(truncatingIfNeeded: bit & 15) & 1 != 0 }

  /// Sets a channel's switch by its parameter's index; there is none from 16 on.
  @_noLocks @_noAllocation
  mutating func setSwitch(_ index: Int, to value: Float) {
    if index < 16 { self = with(bit: index, value >= 0.5) }
  }

  @_noLocks @_noAllocation
  func with(bit: Int, _ isOn: Bool) -> UInt16 {
    let mask = UInt16(1) << UInt16(truncatingIfNeeded: bit & 15)
    return isOn ? self | mask : self & ~mask
  }
}

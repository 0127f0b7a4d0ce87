// Controllers that send a value in two halves.

/// The halves that a channel's sender has sent: a selection for data entry, and a value.
package struct ControllerHalves: BitwiseCopyable {
  /// The value so far, 14 bits.
  package var value = 0
  /// The sender's selection for data entry; 127 and 127 is none.
  var selected = (high: UInt8(127), low: UInt8(127), isRegistered: true)

  @_noLocks @_noAllocation
  package init() {}

  /// Takes in a half of a selection, which controllers 98 to 101 send.
  @_noLocks @_noAllocation
  package mutating func select(_ number: Int, _ data: Int) {
    if number & 1 == 0 {
      selected.low = UInt8(truncatingIfNeeded: data)
    } else {
      selected.high = UInt8(truncatingIfNeeded: data)
    }
    selected.isRegistered = number >= 100
  }

  /// The selected non-registered parameter; below 0 for none.
  package var selection: Int {
    @_noLocks @_noAllocation get {
      selected.isRegistered ? -1 : Int(selected.high) &<< 7 | Int(selected.low)
    }
  }

  @_noLocks @_noAllocation
  func selects(_ number: Int) -> Bool { selection == number }

  /// Takes in a controller for data entry, an increment or a decrement.
  /// - Returns: false for another controller.
  @_noLocks @_noAllocation
  package mutating func enter(_ number: Int, _ data: Int) -> Bool {
    switch number {
    case 6: value = data &<< 7
    case 38: value = value & ~127 | data
    case 96: value = value < 16383 ? value &+ 1 : value
    case 97: value = value > 0 ? value &- 1 : value
    default: return false
    }
    return true
  }

  /// Takes in a controller of the pair `coarse` and `coarse` + 32.
  /// - Returns: false for another controller.
  @_noLocks @_noAllocation
  package mutating func takePair(_ coarse: Int, _ number: Int, _ data: Int) -> Bool {
    if number == coarse {
      value = data &<< 7
    } else if number == coarse &+ 32 {
      value = value & ~127 | data
    } else {
      return false
    }
    return true
  }
}

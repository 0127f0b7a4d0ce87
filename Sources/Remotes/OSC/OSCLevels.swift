// Levels for a subscriber.

import OSC
import SessionModel

/// The levels that a subscriber knows. Only changed ones are sent, because a mixer has many; all
/// are sent again once a second, because a datagram may be lost.
struct OSCLevels {
  /// The number of readings from one with all levels to the next.
  static let interval = 20

  /// The last levels that were sent, by unit.
  private var known: [String: UnitMeters] = [:]
  private var count = 0

  /// Returns the values to be sent, by address without its first slash.
  mutating func take(_ reading: MeterReading) -> [String: OSCArgument] {
    var new: [String: OSCArgument] = [:]
    for (unit, meters) in reading.units {
      let former = count == 0 ? [:] : known[unit].map { Self.values(of: unit, $0) } ?? [:]
      for (address, value) in Self.values(of: unit, meters) where former[address] != value {
        new[address] = value
      }
    }
    known = reading.units
    count = (count + 1) % Self.interval
    return new
  }

  private static func values(of unit: String, _ meters: UnitMeters) -> [String: OSCArgument] {
    let base = "\(OSCRequest.ownName)/meters/\(unit)"
    var values: [String: OSCArgument] = ["\(base)/latency": .int32(Int32(clamping: meters.latency))]
    if let reduction = meters.reduction { values["\(base)/reduction"] = .float(reduction) }
    for (direction, busses) in [("in", meters.inputs), ("out", meters.outputs)] {
      for (bus, levels) in busses.enumerated() {
        for (channel, level) in levels.enumerated() {
          values["\(base)/\(direction)/\(bus + 1)/\(channel + 1)"] = .float(level)
        }
      }
    }
    return values
  }
}

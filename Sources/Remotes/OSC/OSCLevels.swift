// Levels for a subscriber.

import OSC
import SessionModel

/// The levels that a subscriber knows. Only changed ones are sent, because a mixer has many; all
/// are sent again once a second, because a datagram may be lost.
struct OSCLevels {
  /// The number of readings of a unit from one with all levels to the next.
  static let interval = 20

  /// The maximum number of units that are known, removed ones included.
  static let maximumUnits = 1024

  /// The last levels of each unit, and the number of its readings since all were sent. A reading
  /// has the units of one subscription, and a subscriber may have several.
  private var known: [String: (meters: UnitMeters, count: Int)] = [:]

  /// Returns the values to be sent, by address without its first slash.
  mutating func take(_ reading: MeterReading) -> [String: OSCArgument] {
    var new: [String: OSCArgument] = [:]
    if known.count > Self.maximumUnits { known = [:] }
    for (unit, meters) in reading.units {
      let last = known[unit].flatMap { $0.count < Self.interval ? $0 : nil }
      let former = last.map { Self.values(of: unit, $0.meters) } ?? [:]
      for (address, value) in Self.values(of: unit, meters) where former[address] != value {
        new[address] = value
      }
      known[unit] = (meters, (last?.count ?? 0) + 1)
    }
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

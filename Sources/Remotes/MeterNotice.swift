// Levels as JSON.

import SessionModel

/// Writes levels as JSON. They go to each watching client twenty times a second: written by an
/// encoder, those of 60 units cost a percent of a core for each client.
struct MeterNotice {
  private(set) var bytes: [UInt8] = []

  init(_ reading: MeterReading) {
    bytes.reserveCapacity(64 + 96 * reading.units.count)
    add("{\"meters\":{\"frame\":\(reading.frame),\"frames\":\(reading.frames),\"units\":{")
    add(reading.units) { notice, unit in
      // Ids have letters, digits, hyphens and underscores only.
      notice.add("\"\(unit.key)\":{\"inputs\":")
      notice.add(unit.value.inputs)
      notice.add(",\"latency\":\(unit.value.latency),\"outputs\":")
      notice.add(unit.value.outputs)
      if let reduction = unit.value.reduction {
        notice.add(",\"reduction\":")
        notice.add(reduction)
      }
      notice.add("}")
    }
    add("}}}")
  }

  private mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func add(_ levels: [[Float]]) {
    add("[")
    add(levels) { notice, bus in
      notice.add("[")
      notice.add(bus) { $0.add($1) }
      notice.add("]")
    }
    add("]")
  }

  private mutating func add(_ level: Float) {
    // JSON has no other numbers.
    let level = level.isFinite ? level : 0
    add(level == level.rounded() && abs(level) < 1e6 ? "\(Int(level))" : "\(level)")
  }

  /// Adds values with commas between them.
  private mutating func add<Values: Collection>(
    _ values: Values, _ add: (inout MeterNotice, Values.Element) -> Void
  ) {
    for (index, value) in values.enumerated() {
      if index > 0 { self.add(",") }
      add(&self, value)
    }
  }
}

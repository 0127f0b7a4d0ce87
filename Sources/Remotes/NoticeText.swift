// Notices with many numbers, as JSON.

/// Text of JSON in the making. Levels go to each watching client twenty times a second: written by
/// an encoder, those of 60 units cost a percent of a core for each client.
struct NoticeText {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func add(_ level: Float) {
    // JSON has no other numbers.
    let level = level.isFinite ? level : 0
    add(level == level.rounded() && abs(level) < 1e6 ? "\(Int(level))" : "\(level)")
  }

  mutating func add(_ levels: [Float]) {
    add("[")
    add(levels) { $0.add($1) }
    add("]")
  }

  /// Adds values with commas between them.
  mutating func add<Values: Collection>(
    _ values: Values, _ add: (inout NoticeText, Values.Element) -> Void
  ) {
    for (index, value) in values.enumerated() {
      if index > 0 { self.add(",") }
      add(&self, value)
    }
  }
}

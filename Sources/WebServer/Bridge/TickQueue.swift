// Notices on their way to a page.

/// Notices that wait, the last one or the first ones of each subject, and the ticks that the page
/// has not acknowledged: a page that reads nothing costs at most these.
struct TickQueue {
  private var notices: [String: [[UInt8]]] = [:]
  private var order: [String] = []
  private var open: Set<Int64> = []
  private var last: Int64 = 0

  /// Adds a notice, an object of JSON. It replaces a waiting one of the same subject.
  mutating func add(_ notice: [UInt8], about subject: String) {
    if notices.updateValue([notice], forKey: subject) == nil { order.append(subject) }
  }

  /// Adds a notice that replaces none.
  ///
  /// - Parameters:
  ///   - most: the most notices of the subject that wait; further ones are merged into the last.
  ///   - merge: returns a notice that stands for two.
  mutating func append(
    _ notice: [UInt8], about subject: String, most: Int,
    merge: (_ last: [UInt8], _ new: [UInt8]) -> [UInt8]
  ) {
    guard var waiting = notices[subject] else { return add(notice, about: subject) }
    if waiting.count < most {
      waiting.append(notice)
    } else {
      waiting[most - 1] = merge(waiting[most - 1], notice)
    }
    notices[subject] = waiting
  }

  /// Removes the notices that wait about subjects with a prefix.
  mutating func remove(subjectsWithPrefix prefix: String) {
    order.removeAll { $0.hasPrefix(prefix) }
    notices = notices.filter { !$0.key.hasPrefix(prefix) }
  }

  /// Whether a tick can be sent.
  var isDue: Bool { !order.isEmpty && open.count < WebLimits.openTicks }

  /// Returns the next tick with all that waits; nil while nothing waits, or too many ticks are
  /// open.
  mutating func take() -> [UInt8]? {
    guard isDue else { return nil }
    last += 1
    open.insert(last)
    var text = Array("{\"tick\":\(last),\"notices\":[".utf8)
    for (index, notice) in order.flatMap({ notices[$0] ?? [] }).enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text += notice
    }
    (notices, order) = ([:], [])
    return text + Array("]}".utf8)
  }

  /// Notes that the page has taken a tick.
  /// - Returns: false for a tick that is not open.
  mutating func acknowledge(_ tick: Int64) -> Bool { open.remove(tick) != nil }
}

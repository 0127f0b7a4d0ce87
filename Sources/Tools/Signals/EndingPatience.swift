// How long an ending may take.

import Foundation

/// Patience with an ending, in seconds in which the machine had a processor to spare.
///
/// While a processor is idle, nothing that could go on is kept from it: what has not ended waits
/// for something that does not come, such as an answer of a server that is stopped. While all
/// processors are busy, an ending takes its turn, and the server too.
struct EndingPatience {
  /// Seconds with an idle processor that an ending may take.
  static let idleSeconds = 3.0
  /// Seconds that it may take on a machine that is always busy.
  static let busySeconds = 15.0

  /// Seconds so far.
  private(set) var seconds = 0.0
  private var idle = 0.0

  var isAtEnd: Bool { idle >= Self.idleSeconds || seconds >= Self.busySeconds }

  /// Counts a while.
  ///
  /// - Parameters:
  ///   - seconds: how long it was.
  ///   - idleSeconds: for how long of it processors were idle, all of them together; nil where that
  ///     is not known, and the whole of it counts.
  mutating func spend(_ seconds: Double, idleSeconds: Double?) {
    self.seconds += seconds
    idle += min(seconds, idleSeconds ?? seconds)
  }
}

/// What the kernel has counted of all processors together, in seconds.
struct ProcessorTimes {
  let idle: Double
  let total: Double

  /// - Returns: nil where `/proc/stat` does not say it.
  static func now() -> ProcessorTimes? {
    guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8) else { return nil }
    return ProcessorTimes(text, ticksPerSecond: Double(sysconf(Int32(_SC_CLK_TCK))))
  }

  /// - Parameter text: of `/proc/stat`: "cpu", then user, nice, system, idle, waiting for disks,
  ///   interrupts, software interrupts and stolen, in ticks.
  init?(_ text: String, ticksPerSecond: Double) {
    let fields = text.prefix { $0 != "\n" }.split(separator: " ")
    let ticks = fields.dropFirst().prefix(8).compactMap { Double($0) }
    guard fields.first == "cpu", ticks.count >= 5 else { return nil }
    idle = (ticks[3] + ticks[4]) / ticksPerSecond
    total = ticks.reduce(0, +) / ticksPerSecond
  }

  /// Seconds in which processors were idle since then; nil where nothing was counted.
  func idleSeconds(since former: ProcessorTimes) -> Double? {
    total > former.total ? max(0, idle - former.idle) : nil
  }
}

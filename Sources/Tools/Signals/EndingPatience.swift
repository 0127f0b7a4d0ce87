// Time limits for ending a process.

import FoundationEssentials
import Glibc

/// The time limit for ending a process, in seconds during which a processor was idle.
///
/// While a processor is idle, work that can continue does. If it has not ended, it waits for
/// something that does not happen, such as the answer of a stopped server. While all processors are
/// busy, the end waits for its turn, and so does the server.
struct EndingPatience {
  /// The limit in seconds with an idle processor.
  static let idleSeconds = 3.0
  /// The limit in seconds on a machine that is always busy.
  static let busySeconds = 15.0

  /// Seconds elapsed.
  private(set) var seconds = 0.0
  private var idle = 0.0

  var isAtEnd: Bool { idle >= Self.idleSeconds || seconds >= Self.busySeconds }

  /// Adds elapsed time.
  ///
  /// - Parameters:
  ///   - seconds: its length.
  ///   - idleSeconds: idle time of all processors together within it; nil if unknown, then all of
  ///     it counts.
  mutating func spend(_ seconds: Double, idleSeconds: Double?) {
    self.seconds += seconds
    idle += min(seconds, idleSeconds ?? seconds)
  }
}

/// Idle and total time of all processors together, in seconds.
struct ProcessorTimes {
  let idle: Double
  let total: Double

  /// - Returns: nil if `/proc/stat` lacks them.
  static func now() -> ProcessorTimes? {
    guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8) else { return nil }
    return ProcessorTimes(text, ticksPerSecond: Double(sysconf(Int32(_SC_CLK_TCK))))
  }

  /// - Parameter text: contents of `/proc/stat`: "cpu", then user, nice, system, idle, waiting for
  ///   disks, interrupts, software interrupts and stolen, in ticks.
  init?(_ text: String, ticksPerSecond: Double) {
    let fields = text.prefix { $0 != "\n" }.split(separator: " ")
    let ticks = fields.dropFirst().prefix(8).compactMap { Double($0) }
    guard fields.first == "cpu", ticks.count >= 5 else { return nil }
    idle = (ticks[3] + ticks[4]) / ticksPerSecond
    total = ticks.reduce(0, +) / ticksPerSecond
  }

  /// Returns the idle seconds since `former`; nil if no time was counted.
  func idleSeconds(since former: ProcessorTimes) -> Double? {
    total > former.total ? max(0, idle - former.idle) : nil
  }
}

// Counters of a time-pitch unit.

import Realtime

/// Indices of the counters, and of a flag of the render thread.
enum StretchCount {
  /// Frames of silence played for blocks that were late.
  static var missedFrames: Int { @_noLocks @_noAllocation get { 0 } }
  /// Input samples that were not finite.
  static var noNumbers: Int { @_noLocks @_noAllocation get { 1 } }
  /// 1 in real time, when late blocks are missed; 0 offline.
  static var isLive: Int { @_noLocks @_noAllocation get { 2 } }
}

/// Counts that outlive the unit's render resources.
final class StretchReport: Sendable {
  let words = AtomicCounters(count: 3)

  deinit { words.deallocate() }
}

// What a time-pitch unit counts.

import Realtime

/// The numbers of the counts, and of what the render thread says.
enum StretchCount {
  /// Frames of silence in the place of what had not come in time.
  static var missedFrames: Int { @_noLocks @_noAllocation get { 0 } }
  /// Samples that came in and were no numbers.
  static var noNumbers: Int { @_noLocks @_noAllocation get { 1 } }
  /// 1 where what is not done in time is missing.
  static var isLive: Int { @_noLocks @_noAllocation get { 2 } }
}

/// Counts that outlive the unit's render resources.
final class StretchReport: Sendable {
  let words = AtomicCounters(count: 3)

  deinit { words.deallocate() }
}

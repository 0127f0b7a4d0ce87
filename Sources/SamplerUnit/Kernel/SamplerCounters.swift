// What the sampler's render side counts.

import Realtime

/// Counters of the sampler. The value is a handle: copies name the same memory.
struct SamplerCounters: Sendable, BitwiseCopyable {
  private let counters = AtomicCounters(count: 3)

  /// - Thread: [control], once nobody uses the counters any more.
  func deallocate() { counters.deallocate() }

  @_noLocks @_noAllocation
  func countIgnoredTuning() { counters.add(1, to: 0) }

  @_noLocks @_noAllocation
  func countSkippedBlock() { counters.add(1, to: 1) }

  @_noLocks @_noAllocation
  func countLateNote() { counters.add(1, to: 2) }

  /// Tuning messages that were not played.
  var ignoredTunings: Int { counters[0] }
  /// Blocks thrown away so that a flood of messages was not.
  var skippedBlocks: Int { counters[1] }
  /// Notes that began behind their frame.
  var lateNotes: Int { counters[2] }
}

// What the sampler's render side counts.

import Realtime

/// Counters of the sampler. The value is a handle: copies name the same memory.
struct SamplerCounters: Sendable, BitwiseCopyable {
  private let counters = AtomicCounters(count: 7)

  /// - Thread: [control], once nobody uses the counters any more.
  func deallocate() { counters.deallocate() }

  /// A message for this device that is not carried out.
  @_noLocks @_noAllocation
  func countIgnored() { counters.add(1, to: 0) }

  @_noLocks @_noAllocation
  func countIgnored(_ message: SystemExclusive) {
    if counters[6] == 0 { counters[6] = message.beginning }
    countIgnored()
  }

  @_noLocks @_noAllocation
  func countSkippedBlock() { counters.add(1, to: 1) }

  @_noLocks @_noAllocation
  func countLateNote() { counters.add(1, to: 2) }

  @_noLocks @_noAllocation
  func countDeferred() { counters.add(1, to: 3) }

  @_noLocks @_noAllocation
  func noteDelay(_ frames: Int) { if frames > counters[4] { counters[4] = frames } }

  @_noLocks @_noAllocation
  func countLost() { counters.add(1, to: 5) }

  /// Messages for this device that were not carried out.
  var ignoredMessages: Int { counters[0] }
  /// The first of them as `SystemExclusive.beginning` has it, 0 for none.
  var firstIgnored: Int { counters[6] }
  /// Blocks thrown away so that a flood of messages was not.
  var skippedBlocks: Int { counters[1] }
  /// Notes that began behind their frame.
  var lateNotes: Int { counters[2] }
  /// Events that had to wait for work before them.
  var deferredEvents: Int { counters[3] }
  /// The longest that one of them has waited, in frames.
  var longestDelayFrames: Int { counters[4] }
  /// Events for which there was no room to wait.
  var lostEvents: Int { counters[5] }
}

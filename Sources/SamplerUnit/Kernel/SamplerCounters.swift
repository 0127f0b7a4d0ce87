// Counters of the sampler's render side.

import MIDIStages
import Realtime

/// Counters of the sampler. The value is a handle: copies refer to the same memory.
struct SamplerCounters: Sendable, BitwiseCopyable {
  private let counters = AtomicCounters(count: 6)
  /// Counters of deferred events.
  let deferred = DeferredEventCounters()

  /// - Thread: [control], once nothing uses the counters any more.
  func deallocate() {
    counters.deallocate()
    deferred.deallocate()
  }

  /// Counts a message for this device that is not executed.
  @_noLocks @_noAllocation
  func countIgnored() { counters.add(1, to: 0) }

  @_noLocks @_noAllocation
  func countIgnored(_ message: SystemExclusive) {
    if counters[3] == 0 { counters[3] = message.beginning }
    countIgnored()
  }

  @_noLocks @_noAllocation
  func countSkippedBlocks(_ count: Int) { counters.add(count, to: 1) }

  @_noLocks @_noAllocation
  func countShortages(_ count: Int) { counters.add(count, to: 4) }

  @_noLocks @_noAllocation
  func countLateNote() { counters.add(1, to: 2) }

  @_noLocks @_noAllocation
  func setVoices(_ count: Int) { counters[5] = count }

  /// Count of voices sounding at the end of the last call.
  var voices: Int { counters[5] }
  /// Count of messages for this device that were not executed.
  var ignoredMessages: Int { counters[0] }
  /// Beginning of the first of them, in the form of `SystemExclusive.beginning`; 0 for none.
  var firstIgnored: Int { counters[3] }
  /// Count of blocks discarded to keep up with a flood of messages.
  var skippedBlocks: Int { counters[1] }
  /// Count of times that FluidSynth ended voices of its own choice.
  var shortages: Int { counters[4] }
  /// Count of notes that began after their frame.
  var lateNotes: Int { counters[2] }
}

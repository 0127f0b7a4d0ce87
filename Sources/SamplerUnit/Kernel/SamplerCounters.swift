// What the sampler's render side counts.

import MIDIStages
import Realtime

/// Counters of the sampler. The value is a handle: copies name the same memory.
struct SamplerCounters: Sendable, BitwiseCopyable {
  private let counters = AtomicCounters(count: 6)
  /// Of events that wait for work before them.
  let deferred = DeferredEventCounters()

  /// - Thread: [control], once nobody uses the counters any more.
  func deallocate() {
    counters.deallocate()
    deferred.deallocate()
  }

  /// A message for this device that is not carried out.
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

  /// Voices that sounded at the end of the last call.
  var voices: Int { counters[5] }
  /// Messages for this device that were not carried out.
  var ignoredMessages: Int { counters[0] }
  /// The first of them as `SystemExclusive.beginning` has it, 0 for none.
  var firstIgnored: Int { counters[3] }
  /// Blocks thrown away so that a flood of messages was not.
  var skippedBlocks: Int { counters[1] }
  /// How often FluidSynth has ended voices of its own choice.
  var shortages: Int { counters[4] }
  /// Notes that began behind their frame.
  var lateNotes: Int { counters[2] }
}

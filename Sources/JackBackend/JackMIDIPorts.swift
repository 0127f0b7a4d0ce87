// Per-port MIDI state of the process callback.

import Realtime
import UnitRender

/// A JACK MIDI input and the state of its byte stream.
struct JackMIDIInput {
  let port: OpaquePointer
  let counts: MIDIInputCounts
  var parser = MIDIStreamParser()
  /// The keys and pedals that its sources hold.
  let held = HeldKeys()
  /// The number of lost connections at the last cycle.
  var lastUnplugged = 0
  /// Cycles until held notes are released, 0 if nothing was unplugged.
  var cyclesToEnd = 0

  func deallocate() {
    parser.deallocate()
    held.deallocate()
  }

  /// Tracks the held notes of a list's events from index `first` on.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  func follow(_ list: RenderEventList, from first: Int) {
    var index = first
    while index < list.count {
      let event = list.events + index
      if case .midi? = event.pointee.eventKind {
        held.take(event.pointee.message)
      }
      index &+= 1
    }
  }
}

/// A JACK MIDI output and its held notes.
struct JackMIDIOutput {
  let port: OpaquePointer
  let held = HeldKeys()

  func deallocate() { held.deallocate() }
}

/// Counters of one MIDI input.
struct MIDIInputCounts: Sendable, BitwiseCopyable {
  private let counters: AtomicCounters

  /// - Thread: [control]
  init() {
    counters = AtomicCounters(count: 2)
  }

  /// - Thread: [control], once no thread counts any more.
  func deallocate() { counters.deallocate() }

  /// The number of events that did not fit into JACK's buffer of the input.
  /// - Thread: [any]
  var lost: Int { counters[0] }

  /// The number of connections that the input lost.
  /// - Thread: [any]
  var unplugged: Int { @_noLocks @_noAllocation get { counters[1] } }

  /// - Thread: [render]
  @_noLocks @_noAllocation
  func countLost(_ events: UInt32) { if events > 0 { counters.add(Int(events), to: 0) } }

  /// - Thread: [control]
  func countUnplugged() { counters.add(1, to: 1) }
}

// What the process callback keeps of each MIDI port.

import Realtime
import UnitRender

/// A JACK MIDI input: its port, and the state of its byte stream.
struct JackMIDIInput {
  let port: OpaquePointer
  let counts: MIDIInputCounts
  var parser = MIDIStreamParser()
  /// What its sources hold down.
  let held = HeldKeys()
  /// How often it had lost a connection by the last cycle.
  var lastUnplugged = 0
  /// Cycles until what is held ends, 0 while nothing was unplugged.
  var cyclesToEnd = 0

  func deallocate() {
    parser.deallocate()
    held.deallocate()
  }

  /// Notes what the events of a list say that arrived since it had `first` of them.
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

/// A JACK MIDI output, and what has begun there and not ended.
struct JackMIDIOutput {
  let port: OpaquePointer
  let held = HeldKeys()

  func deallocate() { held.deallocate() }
}

/// What is counted of one MIDI input.
struct MIDIInputCounts: Sendable, BitwiseCopyable {
  private let counters: AtomicCounters

  /// - Thread: [control]
  init() {
    counters = AtomicCounters(count: 2)
  }

  /// - Thread: [control], once nobody counts any more.
  func deallocate() { counters.deallocate() }

  /// Events that JACK had no room for on their way to the input.
  /// - Thread: [any]
  var lost: Int { counters[0] }

  /// How often the input lost a connection.
  /// - Thread: [any]
  var unplugged: Int { @_noLocks @_noAllocation get { counters[1] } }

  /// - Thread: [render]
  @_noLocks @_noAllocation
  func countLost(_ events: UInt32) { if events > 0 { counters.add(Int(events), to: 0) } }

  /// - Thread: [control]
  func countUnplugged() { counters.add(1, to: 1) }
}

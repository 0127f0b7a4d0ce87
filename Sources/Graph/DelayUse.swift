// Identities and memory of a graph's delays.

import GraphRender
import UnitRender

/// The identity of a delay line: one channel of a connection. Delays of different capacities do not
/// share a line.
struct DelayLineKey: Hashable, Sendable {
  struct Bus: Hashable, Sendable {
    let unit: NodeID
    let bus: Int
  }

  /// The source; nil for the ports of the destination.
  let from: Bus?
  let to: Bus
  let channel: Int
  let capacity: Int
}

/// The identity of a queue of events.
enum QueueKey: Hashable, Sendable {
  case midi(from: NodeID, to: NodeID)
  case parameters(from: NodeID, to: NodeID)
  /// MIDI from the unit's ports.
  case ports(of: NodeID)
}

/// A plan's use of a delay line.
struct DelayLineUse: Sendable, Equatable {
  let key: DelayLineKey
  /// The delay of a new line, in frames.
  let frames: Int
}

/// A plan's use of a queue.
struct QueueUse: Sendable, Equatable {
  let key: QueueKey
  /// The unit whose ports feed the queue; nil for a connection inside the graph.
  let unit: Int?
}

/// Keeps a delay line as long as graphs use it.
final class GraphDelayLine: @unchecked Sendable {
  /// Used by one render thread at a time.
  let line: AlignmentDelay

  init(_ use: DelayLineUse) {
    line = AlignmentDelay(frames: use.frames, capacity: use.key.capacity, rises: false)
  }

  deinit { line.deallocate() }
}

/// Keeps a queue as long as graphs use it.
final class GraphQueue: @unchecked Sendable {
  /// `queue` and `portMIDI` are used by one render thread at a time.
  let queue: DelayedEvents
  /// The list into which the backend writes MIDI from ports; nil for a connection inside the graph.
  let portMIDI: RenderEventList?

  init(_ use: QueueUse, _ options: CompileOptions) {
    queue = DelayedEvents(events: options.midiEventsPerPort, bytes: options.midiBytesPerPort)
    portMIDI =
      use.unit == nil
      ? nil
      : .allocate(events: options.midiEventsPerPort, payload: options.midiBytesPerPort)
  }

  deinit {
    queue.deallocate()
    portMIDI?.deallocate()
  }
}

// Who the delays of a graph are.

import GraphRender
import UnitRender

/// The identity of a delay line: one channel of a connection. Delays of different capacities do not
/// share a line.
struct DelayLineKey: Hashable, Sendable {
  struct Bus: Hashable, Sendable {
    let unit: NodeID
    let bus: Int
  }

  /// Nil for the ports of the destination.
  let from: Bus?
  let to: Bus
  let channel: Int
  let capacity: Int
}

/// The identity of a queue of events.
enum QueueKey: Hashable, Sendable {
  case midi(from: NodeID, to: NodeID)
  case parameters(from: NodeID, to: NodeID)
  /// From outside.
  case ports(of: NodeID)
}

/// A delay line as a plan needs it.
struct DelayLineUse: Sendable, Equatable {
  let key: DelayLineKey
  /// How long frames wait in a new one.
  let frames: Int
}

/// A queue as a plan needs it.
struct QueueUse: Sendable, Equatable {
  let key: QueueKey
  /// The unit at which ports it is; nil inside.
  let unit: Int?
}

/// What keeps a delay line as long as graphs use it.
final class GraphDelayLine: @unchecked Sendable {
  /// Used by one render thread at a time.
  let line: AlignmentDelay

  init(_ use: DelayLineUse) {
    line = AlignmentDelay(frames: use.frames, capacity: use.key.capacity, rises: false)
  }

  deinit { line.deallocate() }
}

/// What keeps a queue as long as graphs use it.
final class GraphQueue: @unchecked Sendable {
  /// Both are used by one render thread at a time.
  let queue: DelayedEvents
  /// Where the backend puts what comes from outside; nil inside.
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

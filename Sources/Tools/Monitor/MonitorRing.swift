// Captured MIDI events, from the render thread to the control side.

import Realtime
import UnitRender

/// A MIDI message on its frame, with its first bytes.
struct CapturedEvent: BitwiseCopyable {
  /// The most bytes that are kept of a message.
  static let mostBytes = 20

  let frame: FrameTime
  /// The length of the whole message.
  let byteCount: UInt32
  /// The message's bytes, `mostBytes` at most; zeros after a shorter one.
  private(set) var bytes = InlineArray<20, UInt8>(repeating: 0)

  /// Copies the first bytes of a message.
  @_noLocks @_noAllocation
  init(_ message: UnsafePointer<UInt8>, count: UInt32, at frame: FrameTime) {
    self.frame = frame
    byteCount = count
    let kept = min(Int(count), Self.mostBytes)
    var index = 0
    while index < kept {
      bytes[unchecked: index] = message[index]
      index &+= 1
    }
  }

  /// A short message.
  @_noLocks @_noAllocation
  init(_ message: ShortMessage, count: UInt32, at frame: FrameTime) {
    self.frame = frame
    byteCount = count
    bytes[unchecked: 0] = UInt8(truncatingIfNeeded: message.word)
    bytes[unchecked: 1] = UInt8(truncatingIfNeeded: message.word >> 8)
    bytes[unchecked: 2] = UInt8(truncatingIfNeeded: message.word >> 16)
  }

  /// - Thread: [any]
  var kept: [UInt8] { (0..<min(Int(byteCount), Self.mostBytes)).map { bytes[$0] } }
}

/// Hands the events of one unit to the control side, and counts those without room. The value is a
/// handle: copies name the same memory.
struct MonitorRing: @unchecked Sendable, BitwiseCopyable {
  private static let lostEvents = 0
  private static let renderedFrames = 1
  /// Several times the events that fit into a cycle's buffer at a port.
  private let events = Ring<CapturedEvent>(capacity: 65_536)
  private let counters = AtomicCounters(count: 2)

  /// - Thread: [control]
  init() {}

  /// - Thread: [control], once the render side is gone.
  func deallocate() {
    events.deallocate()
    counters.deallocate()
  }

  @_noLocks @_noAllocation
  func send(_ event: CapturedEvent) {
    if !events.trySend(event) { counters.add(1, to: Self.lostEvents) }
  }

  /// Notes that all events before a frame have been sent.
  @_noLocks @_noAllocation
  func end(at frame: FrameTime) {
    counters[Self.renderedFrames] = Int(truncatingIfNeeded: frame)
  }

  /// The number of events that found no room.
  /// - Thread: [any]
  var lostCount: Int { counters[Self.lostEvents] }

  /// The frame before which all events have been sent.
  /// - Thread: [any]
  var renderedFrames: FrameTime { FrameTime(counters[Self.renderedFrames]) }

  /// Returns the events since the last call, in order.
  /// - Thread: [control], one at a time.
  func take() -> [CapturedEvent] {
    var taken: [CapturedEvent] = []
    for _ in 0..<events.capacity {
      guard let event = events.tryReceive() else { break }
      taken.append(event)
    }
    return taken
  }
}

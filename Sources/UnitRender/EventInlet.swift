// The path of events from control threads to a unit's realtime event list.

import Realtime
import Synchronization

/// One event in transit from the control side, with the bytes of a SysEx.
@usableFromInline
struct InletEvent: BitwiseCopyable {
  @usableFromInline var event: RenderEvent
  @usableFromInline var payload: UnsafeMutablePointer<UInt8>?
  /// Number of times that all timed events had been discarded before.
  @usableFromInline var epoch = 0
}

/// Passes events from any control thread to the render side, where they wait for their frame.
/// Counterpart of `scheduleParameterBlock` and `scheduleMIDIEventBlock`.
///
/// At most `capacity` events with a frame, as many immediate ones, and `payloadCapacity` bytes of
/// SysEx are in transit or waiting at any time. An accepted event therefore always finds room, and
/// only the caller sees a refusal. Events for frames far ahead do not take the room of immediate
/// ones.
public final class EventInlet: @unchecked Sendable {
  /// The render side's end, valid for the lifetime of the inlet.
  public let reader: EventInletReader
  public let capacity: Int
  public let payloadCapacity: Int

  /// The outcome of sending an event.
  public enum Result: Sendable, Equatable {
    case accepted
    /// The outstanding events, or bytes of SysEx, leave no room.
    case full
    /// The bytes are not one complete MIDI message.
    case malformed
  }

  private let producers = Mutex<Void>(())

  /// Number of accepted events.
  /// - Thread: [any]
  public var sentCount: Int { reader.arrivals.sentCount }

  /// Returns the first frame of the cycle that took an event. An immediate event takes effect
  /// there.
  ///
  /// - Parameter number: the value of `sentCount` after the event was sent.
  /// - Returns: nil before a cycle takes the event, if it was dropped, and once it is too old.
  /// - Thread: [any]
  public func frame(ofEvent number: Int) -> FrameTime? { reader.arrivals.frame(of: number) }

  /// Number of events taken by cycles or dropped.
  /// - Thread: [any]
  public var doneCount: Int { reader.arrivals.arrivedCount }

  /// - Parameters:
  ///   - capacity: the most events with a frame that can wait, and the most immediate ones in
  ///     transit, rounded up to a power of two.
  ///   - payloadCapacity: the most bytes of SysEx that can wait.
  /// - Thread: [control]
  public init(capacity: Int = 1024, payloadCapacity: Int = 65536) {
    reader = EventInletReader(capacity: 2 * capacity, payloadCapacity: payloadCapacity)
    self.capacity = reader.ring.capacity / 2
    self.payloadCapacity = payloadCapacity
  }

  deinit {
    discardAll()
    reader.deallocate()
  }

  /// Whether `count` events with a frame would be accepted, unless another thread sends some first.
  /// - Thread: [control]
  public func hasRoom(forEvents count: Int) -> Bool {
    producers.withLock { _ in count <= capacity - reader.outstanding[InletCount.timed] }
  }

  /// Makes the next cycle drop those events sent so far that wait for a later frame.
  /// - Thread: [control]
  public func discardTimed() {
    producers.withLock { _ in reader.outstanding.add(1, to: InletCount.epoch) }
  }

  /// Sends a parameter event; `event.frame` is a frame time or `RenderEvent.immediate`.
  /// - Thread: [control]
  public func send(_ event: RenderEvent) -> Result {
    producers.withLock { _ in
      collect()
      guard reader.outstanding[InletCount.of(event)] < capacity else { return .full }
      return sendCounted(InletEvent(event: event, payload: nil))
    }
  }

  /// Sends one complete MIDI message.
  /// - Thread: [control]
  public func sendMIDI(_ bytes: [UInt8], cable: UInt8, at frame: FrameTime) -> Result {
    let form = bytes.withUnsafeBufferPointer {
      $0.isEmpty ? .malformed : MIDIMessage.form(of: $0.baseAddress!, count: $0.count)
    }
    switch form {
    case .malformed:
      return .malformed
    case .short:
      return send(
        .midi(
          bytes[0], bytes.count > 1 ? bytes[1] : 0, bytes.count > 2 ? bytes[2] : 0,
          length: UInt32(bytes.count), cable: cable, at: frame))
    case .systemExclusive:
      return producers.withLock { _ in
        collect()
        let event = RenderEvent.systemExclusive(
          length: UInt32(bytes.count), cable: cable, at: frame)
        guard reader.outstanding[InletCount.of(event)] < capacity,
          bytes.count <= payloadCapacity - reader.outstanding[InletCount.payload]
        else { return .full }
        let payload = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
        payload.initialize(from: bytes, count: bytes.count)
        reader.outstanding.add(bytes.count, to: InletCount.payload)
        return sendCounted(InletEvent(event: event, payload: payload))
      }
    }
  }

  /// Drops all waiting events.
  /// - Thread: [control], while nothing renders.
  public func discardAll() {
    producers.withLock { _ in
      let count = reader.takeArrivals()
      if count > 0 { reader.arrivals.forget(count) }
      for index in 0..<reader.waitingCount { reader.waiting[index].payload?.deallocate() }
      reader.forgetWaiting()
      collect()
      for count in [InletCount.timed, InletCount.payload, InletCount.immediate] {
        reader.outstanding[count] = 0
      }
    }
  }

  private func sendCounted(_ event: InletEvent) -> Result {
    var event = event
    event.epoch = reader.outstanding[InletCount.epoch]
    reader.outstanding.add(1, to: InletCount.of(event.event))
    if reader.ring.trySend(event) {
      reader.arrivals.countSent()
      return .accepted
    }
    preconditionFailure("the ring holds as many events as may be outstanding")
  }

  /// Frees the SysEx bytes that the render side no longer needs.
  private func collect() {
    while let word = reader.spent.tryReceive() {
      UnsafeMutablePointer<UInt8>(bitPattern: word)?.deallocate()
    }
  }
}

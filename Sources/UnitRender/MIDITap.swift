// MIDI of a unit, from the render thread to those who watch it.

import Realtime
import Synchronization

/// A MIDI message that a unit received or sent, on the session's frame, with its first bytes.
package struct TappedEvent: BitwiseCopyable, Sendable {
  /// The most bytes that are kept of a message.
  package static let mostBytes = 32

  package let frame: FrameTime
  /// The length of the whole message.
  package let byteCount: UInt32
  package let isSent: Bool
  package let cable: UInt8
  /// The message's bytes, `mostBytes` at most; zeros after a shorter one.
  private var bytes = InlineArray<32, UInt8>(repeating: 0)

  @_noLocks @_noAllocation
  init(
    _ event: UnsafeMutablePointer<RenderEvent>, of list: RenderEventList, at frame: FrameTime,
    isSent: Bool
  ) {
    self.frame = frame
    self.isSent = isSent
    byteCount = event.pointee.length
    cable = event.pointee.cable
    if event.pointee.isMIDI {
      let word = ShortMessage(of: event).word
      bytes[unchecked: 0] = UInt8(truncatingIfNeeded: word)
      bytes[unchecked: 1] = UInt8(truncatingIfNeeded: word >> 8)
      bytes[unchecked: 2] = UInt8(truncatingIfNeeded: word >> 16)
      return
    }
    let message = list.systemExclusiveBytes(of: event)
    let kept = min(Int(truncatingIfNeeded: byteCount), 32)
    var index = 0
    while index < kept {
      bytes[unchecked: index] = message[index]
      index &+= 1
    }
  }

  /// The kept bytes.
  /// - Thread: [any]
  package var kept: [UInt8] { (0..<min(Int(byteCount), Self.mostBytes)).map { bytes[$0] } }
}

/// A queue of the MIDI events of one unit, with a count of those without room. The value is a
/// handle: copies name the same memory.
@usableFromInline
package struct MIDITap: @unchecked Sendable, BitwiseCopyable {
  /// The most events that wait: ten times those of a busy twentieth of a second.
  package static let capacity = 1024

  private struct State: BitwiseCopyable {
    let events: Ring<TappedEvent>
    let lost: UnsafeMutablePointer<Atomic<Int>>
  }

  @usableFromInline let memory: UnsafeMutableRawPointer

  private var state: UnsafeMutablePointer<State> {
    @_noLocks @_noAllocation get { memory.assumingMemoryBound(to: State.self) }
  }

  /// - Thread: [control]
  init() {
    let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    let lost = UnsafeMutablePointer<Atomic<Int>>.allocate(capacity: 1)
    lost.initialize(to: Atomic(0))
    state.initialize(to: State(events: Ring(capacity: Self.capacity), lost: lost))
    memory = UnsafeMutableRawPointer(state)
  }

  /// Makes a handle of the memory at an address.
  @_noLocks @_noAllocation @inlinable
  init?(address: Int) {
    guard let memory = UnsafeMutableRawPointer(bitPattern: address) else { return nil }
    self.memory = memory
  }

  var address: Int { Int(bitPattern: memory) }

  /// - Thread: [control], once the render side is gone.
  func deallocate() {
    state.pointee.events.deallocate()
    state.pointee.lost.deinitialize(count: 1)
    state.pointee.lost.deallocate()
    state.deallocate()
  }

  /// Records a MIDI event, and nothing of other events.
  ///
  /// - Parameter frame: the session's frame.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  package func record(
    _ event: UnsafeMutablePointer<RenderEvent>, of list: RenderEventList, at frame: FrameTime,
    isSent: Bool
  ) {
    guard event.pointee.isMIDI || event.pointee.isSystemExclusive else { return }
    let recorded = TappedEvent(event, of: list, at: frame, isSent: isSent)
    if !state.pointee.events.trySend(recorded) {
      state.pointee.lost.pointee.wrappingAdd(1, ordering: .relaxed)
    }
  }

  /// Returns the events since the last call, in their order, and the number of those without room.
  /// - Thread: [control], one at a time. - Complexity: O(events), `capacity` at most.
  package func take() -> (events: [TappedEvent], lost: Int) {
    let lost = state.pointee.lost.pointee.exchange(0, ordering: .relaxed)
    var events: [TappedEvent] = []
    for _ in 0..<state.pointee.events.capacity {
      guard let event = state.pointee.events.tryReceive() else { break }
      events.append(event)
    }
    return (events, lost)
  }
}

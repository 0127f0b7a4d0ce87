// A queue of events for delayed audio.

import Realtime

/// A bounded queue of events, each with the frame on which it would have taken effect.
///
/// The caller checks `hasRoom` before `append`. If there is no room, it passes on the events that
/// have waited longest early, which keeps the order, or drops the new event and counts it.
///
/// The value owns memory: `deallocate` frees it. Used by one render thread at a time.
package struct DelayedEvents: BitwiseCopyable {
  private struct State: BitwiseCopyable {
    var first = 0
    var count = 0
    /// Positions in the bytes, counted without wrapping.
    var firstByte = 0
    var endByte = 0
  }

  private let events: UnsafeMutablePointer<RenderEvent>
  private let capacity: Int
  private let bytes: UnsafeMutablePointer<UInt8>
  /// The number of bytes, a power of two, minus one.
  private let byteMask: Int
  private let state: UnsafeMutablePointer<State>

  /// - Parameters:
  ///   - events: the most events that can wait.
  ///   - bytes: the bytes of SysEx that can wait, rounded up to a power of two.
  /// - Thread: [control]
  package init(events: Int, bytes: Int) {
    capacity = max(events, 1)
    self.events = .allocate(capacity: capacity)
    self.events.initialize(repeating: RenderEvent(), count: capacity)
    var byteCapacity = 1
    while byteCapacity < bytes { byteCapacity *= 2 }
    byteMask = byteCapacity - 1
    self.bytes = .allocate(capacity: byteCapacity)
    self.bytes.initialize(repeating: 0, count: byteCapacity)
    state = .allocate(capacity: 1)
    state.initialize(to: State())
  }

  /// - Thread: [control], once no render thread uses it.
  package func deallocate() {
    events.deallocate()
    bytes.deallocate()
    state.deallocate()
  }

  package var isEmpty: Bool { @_noLocks @_noAllocation get { state.pointee.count == 0 } }

  /// Whether the queue has room for `event`.
  @_noLocks @_noAllocation
  package func hasRoom(for event: UnsafeMutablePointer<RenderEvent>) -> Bool {
    if state.pointee.count == capacity { return false }
    guard case .systemExclusive? = event.pointee.eventKind else { return true }
    return startOfBytes(Int(event.pointee.length)) >= 0
  }

  /// Appends an event for which `hasRoom` returned true.
  ///
  /// - Parameters:
  ///   - list: the list of `event`.
  ///   - frame: the frame on which the event would take effect without delay.
  /// - Thread: [render]. - Complexity: O(bytes)
  @_noLocks @_noAllocation
  package func append(
    _ event: UnsafeMutablePointer<RenderEvent>, of list: RenderEventList, at frame: FrameTime
  ) {
    var copy = event.pointee
    copy.frame = frame
    if case .systemExclusive? = event.pointee.eventKind {
      let length = Int(event.pointee.length)
      let start = startOfBytes(length)
      if start < 0 { return }
      UnsafeMutableRawPointer(bytes + (start & byteMask)).copyMemory(
        from: list.systemExclusiveBytes(of: event), byteCount: length)
      copy.address = UInt64(truncatingIfNeeded: start)
      state.pointee.endByte = start &+ length
    }
    var index = state.pointee.first &+ state.pointee.count
    if index >= capacity { index &-= capacity }
    events[index] = copy
    state.pointee.count &+= 1
  }

  /// The event that has waited longest; nil if the queue is empty.
  /// - Thread: [render]
  package var first: UnsafeMutablePointer<RenderEvent>? {
    @_noLocks @_noAllocation get {
      state.pointee.count == 0 ? nil : events + state.pointee.first
    }
  }

  /// Moves the event that has waited longest to a list.
  ///
  /// - Returns: false if the queue is empty, or if the list has no room; then the event stays
  ///   queued.
  /// - Thread: [render]. - Complexity: O(bytes)
  @_noLocks @_noAllocation
  package func giveFirst(to list: RenderEventList, at frame: FrameTime) -> Bool {
    guard let event = first else { return false }
    if list.room < 1 { return false }
    if case .systemExclusive? = event.pointee.eventKind {
      let length = Int(event.pointee.length)
      if list.payloadRoom < length { return false }
      let start = Int(truncatingIfNeeded: event.pointee.address)
      if !list.insertSystemExclusive(
        bytes + (start & byteMask), count: length, cable: event.pointee.cable, at: frame)
      {
        return false
      }
      state.pointee.firstByte = start &+ length
    } else {
      var copy = event.pointee
      copy.frame = frame
      if !list.insert(copy) { return false }
    }
    removeFirst()
    return true
  }

  /// Removes the event that has waited longest. It must not be a SysEx.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  package func forgetFirst() { if state.pointee.count > 0 { removeFirst() } }

  /// Removes all events.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  package func removeAll() { state.pointee = State() }

  @_noLocks @_noAllocation
  private func removeFirst() {
    state.pointee.first &+= 1
    if state.pointee.first == capacity { state.pointee.first = 0 }
    state.pointee.count &-= 1
    if state.pointee.count == 0 { removeAll() }
  }

  /// Returns the position of `length` contiguous bytes, counted without wrapping; -1 if there is no
  /// room.
  @_noLocks @_noAllocation
  private func startOfBytes(_ length: Int) -> Int {
    var start = state.pointee.endByte
    let byteCapacity = byteMask &+ 1
    let offset = start & byteMask
    if length > byteCapacity { return -1 }
    if offset &+ length > byteCapacity { start &+= byteCapacity &- offset }
    return start &+ length &- state.pointee.firstByte <= byteCapacity ? start : -1
  }
}

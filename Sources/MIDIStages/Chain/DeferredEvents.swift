// Events deferred, in order, because earlier ones have used up the time.

import Realtime
import UnitRender

/// A queue of deferred events. The value is a handle: copies name the same memory.
///
/// Events that a later event makes void are dropped. Of the values of one controller, and of bends
/// and pressures, only the last is kept if no note or program is between them. A message repeated
/// at once is kept once. A reset replaces all MIDI before it, All Sound Off the notes of its
/// channel.
package struct DeferredEvents: @unchecked Sendable, BitwiseCopyable {
  /// The number of values of a channel: 128 controllers, 128 key pressures, the channel pressure,
  /// the bend.
  private static var valuesPerChannel: Int { @_noLocks @_noAllocation get { 258 } }

  /// The messages that replace all MIDI before them.
  package enum Resets: UInt8, BitwiseCopyable {
    case systemReset
    /// System Reset, GM and GS resets.
    case all
  }

  private struct Header {
    /// The numbers of the first event and of the next one to be added; numbers only increase.
    var first = 0
    var end = 0
    /// The event number from which on a value may be replaced.
    var barrier = 0
    /// MIDI before this event number is void.
    var void = 0
    var payloadUsed = 0
  }

  private let header: UnsafeMutablePointer<Header>
  private let events: UnsafeMutablePointer<RenderEvent>
  private let payload: UnsafeMutablePointer<UInt8>
  /// The number of the event that last set each value.
  private let values: UnsafeMutablePointer<Int>
  /// The number of each channel's last All Sound Off.
  private let silences: UnsafeMutablePointer<Int>
  private let capacity: Int
  /// The number of events from which on note-ons are refused.
  private let noteCapacity: Int
  private let payloadCapacity: Int
  private let resets: Resets

  /// - Parameters:
  ///   - capacity: the number of events that have room, a power of two; from three quarters on,
  ///     note-ons are refused.
  ///   - payload: the number of bytes of SysEx that have room.
  /// - Thread: [control]
  package init(capacity: Int, payload payloadCapacity: Int, resets: Resets) {
    precondition(capacity > 0 && capacity & (capacity - 1) == 0)
    self.capacity = capacity
    noteCapacity = capacity / 4 * 3
    self.payloadCapacity = payloadCapacity
    self.resets = resets
    header = .allocate(capacity: 1)
    header.initialize(to: Header())
    events = .allocate(capacity: capacity)
    events.initialize(repeating: RenderEvent(), count: capacity)
    payload = .allocate(capacity: payloadCapacity)
    payload.initialize(repeating: 0, count: payloadCapacity)
    values = .allocate(capacity: 16 * Self.valuesPerChannel)
    values.initialize(repeating: -1, count: 16 * Self.valuesPerChannel)
    silences = .allocate(capacity: 16)
    silences.initialize(repeating: -1, count: 16)
  }

  /// - Thread: [control], after the last use of the queue.
  package func deallocate() {
    header.deallocate()
    events.deallocate()
    payload.deallocate()
    values.deallocate()
    silences.deallocate()
  }

  package var isEmpty: Bool {
    @_noLocks @_noAllocation get { header.pointee.first == header.pointee.end }
  }

  private var count: Int {
    @_noLocks @_noAllocation get { header.pointee.end &- header.pointee.first }
  }

  /// The next event; the queue must not be empty.
  package var first: UnsafeMutablePointer<RenderEvent> {
    @_noLocks @_noAllocation get { slot(header.pointee.first) }
  }

  /// Whether a later reset or All Sound Off has made the first event void.
  package var isFirstVoid: Bool {
    @_noLocks @_noAllocation get {
      let (number, event) = (header.pointee.first, first.pointee)
      if number < header.pointee.void { return event.isMIDI || event.isSystemExclusive }
      let isNote = event.isMIDI && event.bytes.0 & 0xE0 == 0x80
      return isNote && number < silences[Int(event.bytes.0 & 0x0F)]
    }
  }

  @_noLocks @_noAllocation
  package func bytes(of event: UnsafeMutablePointer<RenderEvent>) -> UnsafePointer<UInt8> {
    UnsafePointer(payload + Int(event.pointee.payloadOffset))
  }

  @_noLocks @_noAllocation
  package func removeFirst() {
    header.pointee.first &+= 1
    if isEmpty { header.pointee.payloadUsed = 0 }
  }

  @_noLocks @_noAllocation
  package func removeAll() {
    header.pointee.first = header.pointee.end
    header.pointee.payloadUsed = 0
  }

  /// Adds an event.
  ///
  /// - Parameters:
  ///   - bytes: the bytes of a SysEx, nil for any other event.
  ///   - isStep: whether each message counts, even if it equals the last: for an encoder.
  /// - Returns: false if there is no room.
  @_noLocks @_noAllocation
  package func tryAppend(
    _ event: RenderEvent, bytes: UnsafePointer<UInt8>?, isStep: Bool = false
  ) -> Bool {
    let isReset = Self.isReset(event, resets == .all ? bytes : nil)
    if isReset {
      header.pointee.void = header.pointee.end
      header.pointee.payloadUsed = 0
      dropVoid()
    } else if !isStep && replace(event, bytes) {
      return true
    }
    let isNote = event.isMIDI && event.bytes.0 & 0xF0 == 0x90 && event.bytes.2 > 0
    if count >= (isNote ? noteCapacity : capacity) { return false }
    var copy = event
    if let bytes {
      let used = header.pointee.payloadUsed
      let length = Int(truncatingIfNeeded: event.length)
      if length > payloadCapacity &- used { return false }
      UnsafeMutableRawPointer(payload + used).copyMemory(from: bytes, byteCount: length)
      copy.payloadOffset = UInt32(truncatingIfNeeded: used)
      header.pointee.payloadUsed = used &+ length
    }
    let number = header.pointee.end
    slot(number).pointee = copy
    header.pointee.end = number &+ 1
    let (status, controller, _, _) = event.bytes
    if event.isMIDI && status & 0xF0 == 0xB0 && controller == 120 {
      silences[Int(status & 0x0F)] = number
    }
    let value = isStep ? -1 : Self.value(copy)
    if value >= 0 { values[value] = number } else { header.pointee.barrier = number &+ 1 }
    return true
  }

  @_noLocks @_noAllocation
  private func slot(_ number: Int) -> UnsafeMutablePointer<RenderEvent> {
    events + (number & (capacity &- 1))
  }

  /// Removes void MIDI at the front, since it need not wait.
  @_noLocks @_noAllocation
  private func dropVoid() {
    while !isEmpty && isFirstVoid { header.pointee.first &+= 1 }
  }

  /// Replaces an event that the new one makes void; false if there is none.
  @_noLocks @_noAllocation
  private func replace(_ event: RenderEvent, _ bytes: UnsafePointer<UInt8>?) -> Bool {
    if isEmpty || header.pointee.end &- 1 < header.pointee.void { return false }
    let value = Self.value(event)
    if value >= 0 {
      let number = values[value]
      if number < header.pointee.barrier || number < header.pointee.first { return false }
      slot(number).pointee.bytes = event.bytes
      return true
    }
    let last = slot(header.pointee.end &- 1)
    if last.pointee.kind != event.kind || last.pointee.length != event.length { return false }
    if let bytes {
      let others = self.bytes(of: last)
      var index = 0
      while index < Int(event.length) {
        if bytes[index] != others[index] { return false }
        index &+= 1
      }
      return true
    }
    // Stages count repeated notes, and each data increment or decrement is a step.
    let status = event.bytes.0 & 0xF0
    if !event.isMIDI || status == 0x90 || status == 0x80 { return false }
    if status == 0xB0 && event.bytes.1 >= 96 && event.bytes.1 <= 97 { return false }
    return event.bytes.0 == last.pointee.bytes.0 && event.bytes.1 == last.pointee.bytes.1
      && event.bytes.2 == last.pointee.bytes.2
  }

  /// The index of the value that a message sets, if its order among other values does not matter;
  /// −1 for all other events.
  @_noLocks @_noAllocation
  private static func value(_ event: RenderEvent) -> Int {
    if !event.isMIDI { return -1 }
    let (status, first, _, _) = event.bytes
    let base = Int(status & 0x0F) &* valuesPerChannel
    if first > 127 { return -1 }
    switch status & 0xF0 {
    case 0xA0: return base &+ 128 &+ Int(first)
    case 0xB0:
      switch first {
      // Banks, data entry and its selection, pedals, modes and all others that act on arrival.
      case 0, 6, 32, 38, 64...69, 84, 96...101, 120...127: return -1
      default: return base &+ Int(first)
      }
    case 0xD0: return base &+ 256
    case 0xE0: return base &+ 257
    default: return -1
    }
  }

  /// System Reset, GM or GM2 System On, GS Reset.
  @_noLocks @_noAllocation
  package static func isReset(_ event: RenderEvent, _ bytes: UnsafePointer<UInt8>?) -> Bool {
    guard let bytes else { return event.isMIDI && event.bytes.0 == 0xFF }
    let count = Int(event.length)
    if count < 6 || (bytes[2] != 0x10 && bytes[2] != 0x7F) { return false }
    if count == 6 && bytes[1] == 0x7E && bytes[3] == 0x09 { return bytes[4] == 1 || bytes[4] == 3 }
    return count == 11 && bytes[1] == 0x41 && bytes[3] == 0x42 && bytes[4] == 0x12
      && bytes[5] == 0x40 && bytes[6] == 0 && bytes[7] == 0x7F && bytes[8] == 0
      && bytes[9] == 0x41
  }
}

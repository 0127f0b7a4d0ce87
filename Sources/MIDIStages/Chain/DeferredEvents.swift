// Events that wait because those before them have taken the time there is, in order.

import Realtime
import UnitRender

/// A queue of events. The value is a handle: copies name the same memory.
///
/// What a later event makes void does not wait: of the values of one controller, of bends and
/// pressures with no note or program between them the last one stays, a message that is repeated at
/// once waits once, a reset takes the place of all MIDI before it, and All Sound Off that of its
/// channel's notes.
package struct DeferredEvents: @unchecked Sendable, BitwiseCopyable {
  /// What a value can be of: 128 controllers, 128 keys' pressures, the channel's pressure, its
  /// bend.
  private static var valuesPerChannel: Int { @_noLocks @_noAllocation get { 258 } }

  /// What takes the place of all MIDI before it.
  package enum Resets: UInt8, BitwiseCopyable {
    case systemReset
    /// GM and GS resets too.
    case all
  }

  private struct Header {
    /// The number of the first event, and of the next; they count on.
    var first = 0
    var end = 0
    /// The number from which on a value may be replaced.
    var barrier = 0
    /// MIDI before this number is void.
    var void = 0
    var payloadUsed = 0
  }

  private let header: UnsafeMutablePointer<Header>
  private let events: UnsafeMutablePointer<RenderEvent>
  private let payload: UnsafeMutablePointer<UInt8>
  /// The number of the event that set each value last.
  private let values: UnsafeMutablePointer<Int>
  /// The number of each channel's last All Sound Off.
  private let silences: UnsafeMutablePointer<Int>
  private let capacity: Int
  /// From here on no note begins any more.
  private let noteCapacity: Int
  private let payloadCapacity: Int
  private let resets: Resets

  /// - Parameters:
  ///   - capacity: for how many events there is room, a power of two; once three quarters wait, no
  ///     further note begins.
  ///   - payload: for how many bytes of SysEx there is room.
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

  /// - Thread: [control], once nobody uses the queue any more.
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

  /// The event that is next; there is one.
  package var first: UnsafeMutablePointer<RenderEvent> {
    @_noLocks @_noAllocation get { place(header.pointee.first) }
  }

  /// Whether the first event was made void by a reset, or All Sound Off, behind it.
  package var isFirstVoid: Bool {
    @_noLocks @_noAllocation get {
      let (number, event) = (header.pointee.first, first.pointee)
      if number < header.pointee.void { return Self.isMIDI(event) }
      let isNote = event.kind == 8 && event.bytes.0 & 0xE0 == 0x80
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

  /// Takes in an event.
  ///
  /// - Parameters:
  ///   - bytes: those of a SysEx, nil for any other event.
  ///   - isStep: whether each message counts, also of those that are alike: an encoder's.
  /// - Returns: false where there is no room.
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
    let isNote = event.kind == 8 && event.bytes.0 & 0xF0 == 0x90 && event.bytes.2 > 0
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
    place(number).pointee = copy
    header.pointee.end = number &+ 1
    let (status, controller, _, _) = event.bytes
    if event.kind == 8 && status & 0xF0 == 0xB0 && controller == 120 {
      silences[Int(status & 0x0F)] = number
    }
    let value = isStep ? -1 : Self.value(copy)
    if value >= 0 { values[value] = number } else { header.pointee.barrier = number &+ 1 }
    return true
  }

  @_noLocks @_noAllocation
  private func place(_ number: Int) -> UnsafeMutablePointer<RenderEvent> {
    events + (number & (capacity &- 1))
  }

  /// Where all that waits is void MIDI, it need not wait.
  @_noLocks @_noAllocation
  private func dropVoid() {
    while !isEmpty && isFirstVoid { header.pointee.first &+= 1 }
  }

  /// Takes the place of an event that it makes void.
  @_noLocks @_noAllocation
  private func replace(_ event: RenderEvent, _ bytes: UnsafePointer<UInt8>?) -> Bool {
    if isEmpty || header.pointee.end &- 1 < header.pointee.void { return false }
    let value = Self.value(event)
    if value >= 0 {
      let number = values[value]
      if number < header.pointee.barrier || number < header.pointee.first { return false }
      place(number).pointee.bytes = event.bytes
      return true
    }
    let last = place(header.pointee.end &- 1)
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
    // A note that is struck twice is two, for the stages that count; so is a data entry.
    let status = event.bytes.0 & 0xF0
    if event.kind != 8 || status == 0x90 || status == 0x80 { return false }
    if status == 0xB0 && event.bytes.1 >= 96 && event.bytes.1 <= 97 { return false }
    return event.bytes.0 == last.pointee.bytes.0 && event.bytes.1 == last.pointee.bytes.1
      && event.bytes.2 == last.pointee.bytes.2
  }

  @_noLocks @_noAllocation
  private static func isMIDI(_ event: RenderEvent) -> Bool { event.kind == 8 || event.kind == 9 }

  /// Which value a message sets whose order among other values means nothing, −1 for all other
  /// events.
  @_noLocks @_noAllocation
  private static func value(_ event: RenderEvent) -> Int {
    if event.kind != 8 { return -1 }
    let (status, first, _, _) = event.bytes
    let base = Int(status & 0x0F) &* valuesPerChannel
    if first > 127 { return -1 }
    switch status & 0xF0 {
    case 0xA0: return base &+ 128 &+ Int(first)
    case 0xB0:
      switch first {
      // Banks, data entry and its numbers, pedals, modes and all that acts when it arrives.
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
    guard let bytes else { return event.kind == 8 && event.bytes.0 == 0xFF }
    let count = Int(event.length)
    if count < 6 || (bytes[2] != 0x10 && bytes[2] != 0x7F) { return false }
    if count == 6 && bytes[1] == 0x7E && bytes[3] == 0x09 { return bytes[4] == 1 || bytes[4] == 3 }
    return count == 11 && bytes[1] == 0x41 && bytes[3] == 0x42 && bytes[4] == 0x12
      && bytes[5] == 0x40 && bytes[6] == 0 && bytes[7] == 0x7F && bytes[8] == 0
      && bytes[9] == 0x41
  }
}

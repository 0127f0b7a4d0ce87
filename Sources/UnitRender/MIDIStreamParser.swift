// A parser from the bytes of a MIDI port to whole messages.

import Realtime

/// Parses a port's MIDI byte stream: running status, realtime bytes inside other messages, SysEx in
/// one or several pieces. Bytes that are not MIDI are skipped and counted; parsing continues after
/// them.
///
/// The value owns memory: `deallocate` frees it.
public struct MIDIStreamParser: BitwiseCopyable {
  /// Number of incomplete or too long messages, data bytes without a status, and undefined status
  /// bytes.
  public private(set) var malformedCount = 0

  private let systemExclusive: UnsafeMutablePointer<UInt8>
  private let capacity: Int
  /// Bytes of the SysEx under way; 0 if there is none; `capacity` if it is too long.
  private var systemExclusiveLength = 0
  private var status: UInt8 = 0
  private var data1: UInt8 = 0
  private var dataCount = 0

  /// - Parameter systemExclusiveCapacity: the longest SysEx that is passed on, in bytes.
  /// - Thread: [control]
  public init(systemExclusiveCapacity: Int = 65536) {
    capacity = systemExclusiveCapacity
    systemExclusive = .allocate(capacity: systemExclusiveCapacity)
  }

  /// - Thread: [control]
  public func deallocate() { systemExclusive.deallocate() }

  /// Reads `count` bytes that arrived at `frame` and inserts each completed message.
  /// - Returns: the number of messages that did not fit into `list`.
  /// - Thread: [render]. - Complexity: O(count)
  @_noLocks @_noAllocation
  public mutating func read(
    _ bytes: UnsafePointer<UInt8>, count: Int, at frame: FrameTime, into list: RenderEventList
  ) -> Int {
    var refused = 0
    var index = 0
    while index < count {
      let byte = bytes[index]
      index &+= 1
      if byte >= 0xF8 {
        if MIDIMessage.length(ofStatus: byte) == 1 {
          if !list.insert(.midi(byte, length: 1, at: frame)) { refused &+= 1 }
        } else {
          malformedCount &+= 1
        }
      } else if byte >= 0x80 {
        if !readStatus(byte, at: frame, into: list) { refused &+= 1 }
      } else if !readData(byte, at: frame, into: list) {
        refused &+= 1
      }
    }
    return refused
  }

  @_noLocks @_noAllocation
  private mutating func readStatus(
    _ byte: UInt8, at frame: FrameTime, into list: RenderEventList
  ) -> Bool {
    if byte == 0xF7 { return endSystemExclusive(at: frame, into: list) }
    if systemExclusiveLength > 0 || dataCount > 0 { malformedCount &+= 1 }
    systemExclusiveLength = 0
    dataCount = 0
    status = 0
    if byte == 0xF0 {
      systemExclusive[0] = byte
      systemExclusiveLength = 1
      return true
    }
    switch MIDIMessage.length(ofStatus: byte) {
    case 0: malformedCount &+= 1
    case 1: return list.insert(.midi(byte, length: 1, at: frame))
    default: status = byte
    }
    return true
  }

  @_noLocks @_noAllocation
  private mutating func endSystemExclusive(
    at frame: FrameTime, into list: RenderEventList
  ) -> Bool {
    let length = systemExclusiveLength
    systemExclusiveLength = 0
    if length == 0 || length >= capacity {
      malformedCount &+= 1
      return true
    }
    systemExclusive[length] = 0xF7
    return list.insertSystemExclusive(systemExclusive, count: length &+ 1, at: frame)
  }

  @_noLocks @_noAllocation
  private mutating func readData(
    _ byte: UInt8, at frame: FrameTime, into list: RenderEventList
  ) -> Bool {
    if systemExclusiveLength > 0 {
      if systemExclusiveLength < capacity {
        systemExclusive[systemExclusiveLength] = byte
        systemExclusiveLength &+= 1
      }
      return true
    }
    if status == 0 {
      malformedCount &+= 1
      return true
    }
    let length = MIDIMessage.length(ofStatus: status)
    if length == 3 && dataCount == 0 {
      data1 = byte
      dataCount = 1
      return true
    }
    let event = RenderEvent.midi(
      status, length == 3 ? data1 : byte, length == 3 ? byte : 0,
      length: UInt32(truncatingIfNeeded: length), at: frame)
    dataCount = 0
    // Only channel messages have running status (MIDI 1.0, "System Common messages cancel it").
    if status >= 0xF0 { status = 0 }
    return list.insert(event)
  }
}

// Switches from the control side to a unit's render side, apart from events, and reports back.

import Realtime

/// Switches and counters that a unit's two sides share.
///
/// The value is a handle: copies name the same memory.
public struct UnitSwitches: Sendable, BitwiseCopyable {
  @usableFromInline let words: AtomicCounters

  /// Number of requests in all bits but the lowest, which has the value of the last one.
  @usableFromInline static let bypass = 0
  @usableFromInline static let offline = 1
  @usableFromInline static let resetRequests = 2
  // 3 to 8 are counts.
  /// The bypass as known to the control side.
  @usableFromInline static let bypassKnown = 9
  /// The frame of the first call that saw the bypass request in the next word.
  @usableFromInline static let bypassFrame = 10
  @usableFromInline static let bypassSeen = 11
  /// The frame of the first cycle that saw the reset requests in the next word.
  @usableFromInline static let resetFrame = 12
  @usableFromInline static let resetsSeen = 13
  @usableFromInline static let resetsWithTransport = 14
  /// The bypass on the render side's frame: 1 if bypassed, else 0.
  @usableFromInline static let bypassHeard = 15
  @usableFromInline static let bypassPosition = 16
  /// The address of the tap that the render side writes MIDI to; 0 while nobody watches.
  @usableFromInline static let midiTap = 17
  /// The address of the tap's memory; 0 before its first use.
  @usableFromInline static let midiTapMemory = 18
  /// The address of the tap that the render side writes audio to; 0 while nobody looks.
  @usableFromInline static let audioTap = 19
  /// The address of that tap's memory; 0 before its first use.
  @usableFromInline static let audioTapMemory = 20

  /// Counters of the render side.
  public enum Count: Int, CaseIterable, Sendable {
    /// Events whose frame had passed when they arrived; they took effect at once.
    case lateEvents = 3
    /// Events for which their list had no room.
    case droppedEvents = 4
    /// Cycles in which the unit made NaN or infinity; it was silenced and reset.
    case nonFiniteCycles = 5
    /// Cycles in which the unit returned an error; it was silenced and reset.
    case failedCycles = 6
    /// MIDI messages that were not well formed; they were ignored.
    case malformedMessages = 7
    /// Events without room in the queue for delayed audio; they took effect before that audio.
    case earlyEvents = 8
  }

  /// - Thread: [control]
  public init() { words = AtomicCounters(count: 21) }

  /// - Thread: [control], once the render side is gone.
  public func deallocate() {
    MIDITap(address: words[Self.midiTapMemory])?.deallocate()
    AudioTap(address: words[Self.audioTapMemory])?.deallocate()
    words.deallocate()
  }

  /// The receiver of the unit's MIDI; nil while nobody watches.
  @inlinable
  package var midiTap: MIDITap? {
    @_noLocks @_noAllocation get { MIDITap(address: words[Self.midiTap]) }
  }

  /// The receiver of the unit's first output; nil while nobody looks.
  @inlinable
  package var audioTap: AudioTap? {
    @_noLocks @_noAllocation get { AudioTap(address: words[Self.audioTap]) }
  }

  /// Begins to record the unit's MIDI, without events of an earlier recording.
  ///
  /// The memory lasts as long as the unit: a cycle may still write to it after `endMIDITap`.
  /// - Thread: [control], one at a time.
  package func beginMIDITap() -> MIDITap {
    let tap = MIDITap(address: words[Self.midiTapMemory]) ?? MIDITap()
    words[Self.midiTapMemory] = tap.address
    if words[Self.midiTap] == 0 { _ = tap.take() }
    words[Self.midiTap] = tap.address
    return tap
  }

  /// Ends the recording of MIDI.
  /// - Thread: [control], one at a time.
  package func endMIDITap() { words[Self.midiTap] = 0 }

  /// Begins to record the unit's first output. The memory lasts as long as the unit.
  /// - Thread: [control], one at a time.
  package func beginAudioTap() -> AudioTap {
    let tap = AudioTap(address: words[Self.audioTapMemory]) ?? AudioTap()
    words[Self.audioTapMemory] = tap.address
    words[Self.audioTap] = tap.address
    return tap
  }

  /// Ends the recording of audio.
  /// - Thread: [control], one at a time.
  package func endAudioTap() { words[Self.audioTap] = 0 }

  /// Whether the unit passes its input through, as known to the control side. Setting it takes
  /// effect with the next call.
  /// - Thread: [any]
  @inlinable
  public var isBypassed: Bool {
    @_noLocks @_noAllocation get { words[Self.bypassKnown] != 0 }
    nonmutating set {
      words[Self.bypassKnown] = newValue ? 1 : 0
      words[Self.bypass] = ((words[Self.bypass] | 1) &+ 1) | (newValue ? 1 : 0)
    }
  }

  /// Identifies the last time that `isBypassed` was set.
  /// - Thread: [any]
  public var bypassRequest: Int { words[Self.bypass] }

  /// Returns the frame of the first call that saw `isBypassed`.
  ///
  /// - Parameter request: the value of `bypassRequest` after `isBypassed` was set.
  /// - Returns: nil before such a call, and once `isBypassed` was set again.
  /// - Thread: [any]
  public func frame(ofBypass request: Int) -> FrameTime? {
    guard words[Self.bypassSeen] == request else { return nil }
    let frame = FrameTime(words[Self.bypassFrame])
    // The frame belongs to another request only if there was another.
    return words[Self.bypass] == request ? frame : nil
  }

  /// Sets `isBypassed` to the value of an event that has taken effect.
  /// - Thread: [control]
  public func settleBypass(_ isBypassed: Bool) {
    words[Self.bypassKnown] = isBypassed ? 1 : 0
  }

  /// Takes a request made since the last call.
  /// - Parameter frame: the call's first frame.
  /// - Returns: whether there was one.
  /// - Thread: [render]
  @_noLocks @_noAllocation @inlinable
  func takeBypassRequest(at frame: FrameTime) -> Bool {
    let request = words[Self.bypass]
    if request == words[Self.bypassSeen] { return false }
    words[Self.bypassHeard] = request & 1
    words.set(Int(truncatingIfNeeded: frame), request, from: Self.bypassFrame)
    return true
  }

  /// Whether the unit passes its input through, by the requests and events taken so far.
  @inlinable
  var isBypassHeard: Bool {
    @_noLocks @_noAllocation get { words[Self.bypassHeard] != 0 }
    @_noLocks @_noAllocation nonmutating set { words[Self.bypassHeard] = newValue ? 1 : 0 }
  }

  /// The position of the bypass fade, kept for successive hosts; see `BypassFade`.
  @inlinable
  var bypassPosition: Int {
    @_noLocks @_noAllocation get { words[Self.bypassPosition] }
    @_noLocks @_noAllocation nonmutating set { words[Self.bypassPosition] = newValue }
  }

  /// Whether the unit renders offline.
  /// - Thread: [any]
  @inlinable
  public var isOffline: Bool {
    @_noLocks @_noAllocation get { words[Self.offline] != 0 }
    nonmutating set { words[Self.offline] = newValue ? 1 : 0 }
  }

  /// Whether the unit is reset when the transport starts, and when it relocates while rolling.
  /// - Thread: [any]
  @inlinable
  public var resetsWithTransport: Bool {
    @_noLocks @_noAllocation get { words[Self.resetsWithTransport] != 0 }
    nonmutating set { words[Self.resetsWithTransport] = newValue ? 1 : 0 }
  }

  /// Requests a reset at the start of the next cycle.
  /// - Thread: [any]
  @_noLocks @_noAllocation
  public func requestReset() { words.add(1, to: Self.resetRequests) }

  /// Identifies the last requested reset.
  /// - Thread: [any]
  public var resetRequest: Int { words[Self.resetRequests] }

  /// Returns the first frame of the cycle that began with a reset.
  ///
  /// - Parameter request: the value of `resetRequest` after the reset was requested.
  /// - Returns: nil before such a cycle, and once another reset was requested.
  /// - Thread: [any]
  public func frame(ofReset request: Int) -> FrameTime? {
    guard words[Self.resetsSeen] == request else { return nil }
    let frame = FrameTime(words[Self.resetFrame])
    return words[Self.resetRequests] == request ? frame : nil
  }

  /// Whether a reset has been requested: true once for any number of requests.
  /// - Parameter frame: the cycle's first frame.
  /// - Thread: [render]
  @_noLocks @_noAllocation @inlinable
  public func takeResetRequest(at frame: FrameTime) -> Bool {
    let request = words[Self.resetRequests]
    if request == words[Self.resetsSeen] { return false }
    words.set(Int(truncatingIfNeeded: frame), request, from: Self.resetFrame)
    return true
  }

  /// - Thread: [render]
  @_noLocks @_noAllocation @inlinable
  public func count(_ what: Count, _ amount: Int = 1) {
    // A switch instead of `rawValue`, whose getter the compiler cannot prove free of metadata.
    switch what {
    case .lateEvents: words.add(amount, to: 3)
    case .droppedEvents: words.add(amount, to: 4)
    case .nonFiniteCycles: words.add(amount, to: 5)
    case .failedCycles: words.add(amount, to: 6)
    case .malformedMessages: words.add(amount, to: 7)
    case .earlyEvents: words.add(amount, to: 8)
    }
  }

  /// - Thread: [any]
  public func value(of what: Count) -> Int { words[what.rawValue] }

  /// Sets a count to 0 and returns its former value.
  /// - Thread: [control]
  public func take(_ what: Count) -> Int { words.takeAll(what.rawValue) }
}

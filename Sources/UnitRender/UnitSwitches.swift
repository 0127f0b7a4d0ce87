// What the control side tells a unit's render side between events, and what that reports back.

import Realtime

/// Switches and counters that a unit's two sides share.
///
/// The value is a handle: copies name the same memory.
public struct UnitSwitches: Sendable, BitwiseCopyable {
  @usableFromInline let words: AtomicCounters

  /// Counts requests, in all bits but the lowest, which says what the last one was for.
  @usableFromInline static let bypass = 0
  @usableFromInline static let offline = 1
  @usableFromInline static let resetRequests = 2
  // 3 to 8 are counts.
  /// What the control side knows of the bypass.
  @usableFromInline static let bypassKnown = 9
  /// The frame of the first call that has seen the bypass of the place behind it.
  @usableFromInline static let bypassFrame = 10
  @usableFromInline static let bypassSeen = 11
  /// The frame of the first cycle that has seen the requests of the place behind it.
  @usableFromInline static let resetFrame = 12
  @usableFromInline static let resetsSeen = 13
  @usableFromInline static let resetsWithTransport = 14
  /// Whether the unit is bypassed on the render side's frame.
  @usableFromInline static let bypassHeard = 15
  @usableFromInline static let bypassPlace = 16

  /// What the render side counts.
  public enum Count: Int, CaseIterable, Sendable {
    /// Events whose frame had passed when they arrived; they took effect at once.
    case lateEvents = 3
    /// Events that found their list full.
    case droppedEvents = 4
    /// Cycles in which the unit made NaN or infinity; it was silenced and reset.
    case nonFiniteCycles = 5
    /// Cycles in which the unit returned an error; it was silenced.
    case failedCycles = 6
    /// MIDI messages that were not well formed; they were ignored.
    case malformedMessages = 7
    /// Events that found no room to wait for delayed audio; they took effect before it.
    case earlyEvents = 8
  }

  /// - Thread: [control]
  public init() { words = AtomicCounters(count: 17) }

  /// - Thread: [control], once the render side is gone.
  public func deallocate() { words.deallocate() }

  /// Whether the unit passes its input through, as far as the control side knows. To set it takes
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

  /// Stands for the last time that `isBypassed` was set.
  /// - Thread: [any]
  public var bypassRequest: Int { words[Self.bypass] }

  /// The frame of the first call that `isBypassed` has reached.
  ///
  /// - Parameter request: what `bypassRequest` was since it was set.
  /// - Returns: nil as long as there was none, and once it was set anew.
  /// - Thread: [any]
  public func frame(ofBypass request: Int) -> FrameTime? {
    guard words[Self.bypassSeen] == request else { return nil }
    let frame = FrameTime(words[Self.bypassFrame])
    // It is the frame of another request only if there was another.
    return words[Self.bypass] == request ? frame : nil
  }

  /// Sets `isBypassed` to the value of an event that has taken effect.
  /// - Thread: [control]
  public func settleBypass(_ isBypassed: Bool) {
    words[Self.bypassKnown] = isBypassed ? 1 : 0
  }

  /// Takes a request that has been made since the last call.
  /// - Parameter frame: the call's first.
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

  /// Whether the unit passes its input through, by the requests and the events that were taken.
  @inlinable
  var isBypassHeard: Bool {
    @_noLocks @_noAllocation get { words[Self.bypassHeard] != 0 }
    @_noLocks @_noAllocation nonmutating set { words[Self.bypassHeard] = newValue ? 1 : 0 }
  }

  /// How far the unit is faded in, for hosts that follow each other; see `BypassFade`.
  @inlinable
  var bypassPlace: Int {
    @_noLocks @_noAllocation get { words[Self.bypassPlace] }
    @_noLocks @_noAllocation nonmutating set { words[Self.bypassPlace] = newValue }
  }

  /// Whether the unit renders offline.
  /// - Thread: [any]
  @inlinable
  public var isOffline: Bool {
    @_noLocks @_noAllocation get { words[Self.offline] != 0 }
    nonmutating set { words[Self.offline] = newValue ? 1 : 0 }
  }

  /// Whether the unit is reset where the transport starts, and where it moves while it rolls.
  /// - Thread: [any]
  @inlinable
  public var resetsWithTransport: Bool {
    @_noLocks @_noAllocation get { words[Self.resetsWithTransport] != 0 }
    nonmutating set { words[Self.resetsWithTransport] = newValue ? 1 : 0 }
  }

  /// Asks for a reset at the start of the next cycle.
  /// - Thread: [any]
  @_noLocks @_noAllocation
  public func requestReset() { words.add(1, to: Self.resetRequests) }

  /// Stands for the last reset that was asked for.
  /// - Thread: [any]
  public var resetRequest: Int { words[Self.resetRequests] }

  /// The first frame of the cycle that began with a reset.
  ///
  /// - Parameter request: what `resetRequest` was since it was asked for.
  /// - Returns: nil as long as there was none, and once another was asked for.
  /// - Thread: [any]
  public func frame(ofReset request: Int) -> FrameTime? {
    guard words[Self.resetsSeen] == request else { return nil }
    let frame = FrameTime(words[Self.resetFrame])
    return words[Self.resetRequests] == request ? frame : nil
  }

  /// True once for any number of requests.
  /// - Parameter frame: the cycle's first.
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

  /// Sets a count to 0 and returns what it was.
  /// - Thread: [control]
  public func take(_ what: Count) -> Int { words.takeAll(what.rawValue) }
}

// The limit on the cost of events that enter a chain, and the deferral of the others.

import Realtime
import UnitRender

/// Limits the work of a chain in each block of 64 frames. Events beyond the limit are deferred, in
/// order, to the next block boundaries.
///
/// The cost of an event is estimated from its kind, never measured. So the output depends neither
/// on the machine nor on where calls begin and end. System common and realtime messages other than
/// System Reset are not deferred, nor are parameters that belong to no stage.
struct MIDIChainGate: @unchecked Sendable {
  /// The work limit in 64 frames: some two million instructions, about a quarter of that time at 48
  /// kHz on a processor of 2026. An event that begins below the limit is processed.
  private static var limit: Int { @_noLocks @_noAllocation get { 20_000 } }
  /// The limit of additional messages in 64 frames: half of the room of an event list.
  private static var extraLimit: Int { @_noLocks @_noAllocation get { 2_048 } }
  private static var frameBits: FrameTime { @_noLocks @_noAllocation get { 6 } }
  /// More frames than a call has: by then the stages have received a new setting.
  private static var settlingFrames: FrameTime { @_noLocks @_noAllocation get { 65_536 } }

  private let waiting: DeferredEvents
  private let counters: DeferredEventCounters
  /// The number of the current block of 64 frames, and the cost of its events.
  private var block: FrameTime = -1
  private var work = 0
  /// The number of additional messages that the chain makes in this block.
  private var extra = 0
  /// The frame from which on events are costed with the stages' current settings; at first at once.
  /// Until then the previous costs apply, so that the cost does not depend on where a call ends.
  private var renewal = FrameTime.min
  /// Whether a lost event may have been the end of a note.
  private var hasLostEnd = false

  /// - Thread: [control]
  init(_ counters: DeferredEventCounters) {
    self.counters = counters
    // Room for three full MIDI buffers.
    waiting = DeferredEvents(capacity: 8_192, payload: 32_768, resets: .systemReset)
  }

  /// - Thread: [control], after the last use of the gate.
  func deallocate() { waiting.deallocate() }

  /// Whether all sounding notes have to end, since an end was lost and no event is deferred any
  /// more. True only once.
  @_noLocks @_noAllocation
  mutating func takeLostEnd() -> Bool {
    if !hasLostEnd || !waiting.isEmpty { return false }
    hasLostEnd = false
    return true
  }

  @_noLocks @_noAllocation
  mutating func reset() {
    waiting.removeAll()
    hasLostEnd = false
  }

  /// Removes the events to be deferred from a call's list, and inserts those that were deferred.
  /// - Complexity: O(events)
  @_noLocks @_noAllocation
  mutating func admit(
    _ list: RenderEventList, during call: MIDIChainCall, to chain: UnsafePointer<MIDIChain>
  ) {
    if chain.pointee.count == 0 && waiting.isEmpty { return }
    var previous = begin(at: call.start, in: list, chain)
    while true {
      let next = list.next(behind: previous)
      let frame = next.map { max($0.pointee.frame, call.start) } ?? call.end
      previous = advance(to: min(frame, call.end &- 1), after: previous, in: list, chain)
      guard let event = list.next(behind: previous), event.pointee.frame < call.end else { return }
      previous = admit(event, behind: previous, in: list, chain)
    }
  }

  /// - Returns: the event; `previous` if it is deferred or lost.
  @_noLocks @_noAllocation
  private mutating func admit(
    _ event: UnsafeMutablePointer<RenderEvent>,
    behind previous: UnsafeMutablePointer<RenderEvent>?, in list: RenderEventList,
    _ chain: UnsafePointer<MIDIChain>
  ) -> UnsafeMutablePointer<RenderEvent>? {
    let kind = MessageKind.of(event)
    var waits = true
    switch kind {
    case .system: waits = false
    case .other:
      waits = chain.pointee.hasParameter(of: event)
      if waits { renewal = event.pointee.frame &+ Self.settlingFrames }
    default: break
    }
    if !waits || (waiting.isEmpty && !isAtLimit) {
      count(kind, chain)
      return event
    }
    counters.countDeferred()
    let isExclusive = event.pointee.eventKind == .systemExclusive
    let bytes = isExclusive ? list.systemExclusiveBytes(of: event) : nil
    if !waiting.tryAppend(event.pointee, bytes: bytes) {
      counters.countLost()
      if !kind.isNoteOn { hasLostEnd = true }
    }
    list.remove(event, after: previous)
    return previous
  }

  /// Begins a call, most often at the end of the call before.
  @_noLocks @_noAllocation
  private mutating func begin(
    at frame: FrameTime, in list: RenderEventList, _ chain: UnsafePointer<MIDIChain>
  ) -> UnsafeMutablePointer<RenderEvent>? {
    let first = frame >> Self.frameBits
    if block == first { return nil }
    if block == first &- 1 { return advance(to: frame, after: nil, in: list, chain) }
    beginBlock(first, chain)
    return release(at: frame, after: nil, in: list, chain)
  }

  /// Advances to a frame. At each block boundary up to it, inserts deferred events up to the limit.
  /// - Returns: the last inserted event; `previous` for none.
  @_noLocks @_noAllocation
  private mutating func advance(
    to frame: FrameTime, after previous: UnsafeMutablePointer<RenderEvent>?,
    in list: RenderEventList, _ chain: UnsafePointer<MIDIChain>
  ) -> UnsafeMutablePointer<RenderEvent>? {
    let target = frame >> Self.frameBits
    var last = previous
    while block < target {
      beginBlock(waiting.isEmpty ? target : block &+ 1, chain)
      last = release(at: block << Self.frameBits, after: last, in: list, chain)
    }
    return last
  }

  private var isAtLimit: Bool {
    @_noLocks @_noAllocation get { work >= Self.limit || extra >= Self.extraLimit }
  }

  @_noLocks @_noAllocation
  private mutating func count(_ kind: MessageKind, _ chain: UnsafePointer<MIDIChain>) {
    work &+= chain.pointee.cost(of: kind)
    extra &+= chain.pointee.copies(of: kind) &- 1
  }

  @_noLocks @_noAllocation
  private mutating func beginBlock(_ number: FrameTime, _ chain: UnsafePointer<MIDIChain>) {
    block = number
    work = 0
    extra = 0
    if number << Self.frameBits < renewal { return }
    chain.pointee.updateCosts()
    renewal = .max
  }

  @_noLocks @_noAllocation
  private mutating func release(
    at frame: FrameTime, after previous: UnsafeMutablePointer<RenderEvent>?,
    in list: RenderEventList, _ chain: UnsafePointer<MIDIChain>
  ) -> UnsafeMutablePointer<RenderEvent>? {
    var last = previous
    while !waiting.isEmpty {
      if waiting.isFirstVoid {
        waiting.removeFirst()
        continue
      }
      let event = waiting.first
      if isAtLimit || list.room == 0 { return last }
      let cameAt = event.pointee.frame
      var copy = event.pointee
      copy.frame = frame
      if event.pointee.eventKind == .systemExclusive {
        if list.payloadRoom < Int(copy.length) { return last }
        last = list.insertSystemExclusive(copy, waiting.bytes(of: event), after: last) ?? last
      } else {
        last = list.insert(copy, after: last) ?? last
      }
      counters.noteDelay(Int(truncatingIfNeeded: frame &- cameAt))
      if renewal != .max { renewal = frame &+ Self.settlingFrames }
      if let last { count(MessageKind.of(last), chain) }
      waiting.removeFirst()
    }
    return last
  }
}

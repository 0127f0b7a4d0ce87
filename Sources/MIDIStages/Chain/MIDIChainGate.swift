// How many events go into a chain in a time, and how the others wait.

import Realtime
import UnitRender

/// Lets into a chain what it can do within a part of 64 frames. The rest waits, in its order, and
/// goes in at the next bounds of 64 frames.
///
/// What events cost is estimated by their kinds, and never measured: what comes out depends neither
/// on the machine nor on where calls begin and end. What only keeps time does not wait, nor do
/// parameters that are no stage's.
struct MIDIChainGate: @unchecked Sendable {
  /// What may be done in 64 frames: some two million instructions, about a quarter of that time at
  /// 48 kHz on a processor of 2026. What began below it is done.
  private static var limit: Int { @_noLocks @_noAllocation get { 20_000 } }
  /// How many more messages may come of what goes in: half of what a list of events has room for.
  private static var extraLimit: Int { @_noLocks @_noAllocation get { 2_048 } }
  private static var frameBits: FrameTime { @_noLocks @_noAllocation get { 6 } }
  /// More frames than a call has: the stages know by then what was set.
  private static var settlingFrames: FrameTime { @_noLocks @_noAllocation get { 65_536 } }

  private let waiting: DeferredEvents
  private let counters: DeferredEventCounters
  /// The number of the 64 frames that are counted, and what events have cost in them.
  private var block: FrameTime = -1
  private var work = 0
  /// How many more messages than went in come of them in these 64 frames.
  private var extra = 0
  /// From which frame on events cost what the settings of today have them cost: at first at once.
  /// Until then they cost what they did: where a call ends, and so what the stages have been told,
  /// must not matter.
  private var renewal = FrameTime.min
  /// Whether an event was lost that may have been the end of a note.
  private var hasLostEnd = false

  /// - Thread: [control]
  init(_ counters: DeferredEventCounters) {
    self.counters = counters
    // What three full MIDI buffers hold.
    waiting = DeferredEvents(capacity: 8_192, payload: 32_768, resets: .systemReset)
  }

  /// - Thread: [control], once nobody uses the gate any more.
  func deallocate() { waiting.deallocate() }

  /// Whether all that sounds has to end, since an end was lost and nothing waits any more; once.
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

  /// Takes out of a call's events what has to wait, and puts in what has waited.
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

  /// - Returns: the event, `previous` where it waits or is lost.
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

  /// A call begins, most often where the one before it has ended.
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

  /// Lets time come to a frame: at each bound up to it what waits goes in, as far as it may.
  /// - Returns: the last event that went in, `previous` for none.
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

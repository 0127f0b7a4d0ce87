// The hand-over from one chain to another, without stuck notes.

import Realtime
import UnitRender

/// Replaces a running MIDI chain. Keeps the previous chain until its notes and pedals are released,
/// and the pending releases of both.
///
/// `sounding`, `leavingSounding` and `pendingReleases` together count the notes that sound at the
/// receiver. Each note of the old chain is in one of the latter two until its end is in a list. So
/// none can be forgotten, whatever a stage does.
struct MIDIChainHandover: @unchecked Sendable {
  private let mailbox: PublishedPointer
  let values: ParameterValues
  private(set) var current: UnsafeMutablePointer<MIDIChain>
  /// The notes and pedals held at the input of the current chain, and those sounding at its output.
  var held = NoteLedger.allocate()
  private var sounding = NoteLedger.allocate()
  /// The notes that all chains have sent to the receiver.
  private let outlet = NoteOutlet.allocate()
  /// The chain before the current one; nil if it has ended.
  var leaving: UnsafeMutablePointer<MIDIChain>?
  var leavingHeld = NoteLedger.allocate()
  private var leavingSounding = NoteLedger.allocate()
  /// The notes and pedals of ended chains that still sound.
  private var pendingReleases = NoteLedger.allocate()
  /// The notes and pedals held at the input of chains that were ended early. Their own ends are
  /// ignored.
  var ended = NoteLedger.allocate()
  /// The input of the old chain, and then its output.
  let scratch: RenderEventList
  private var gate: MIDIChainGate
  private var isBypassed = false

  /// - Thread: [control]
  init(
    _ chain: UnsafeMutablePointer<MIDIChain>, mailbox: PublishedPointer, values: ParameterValues,
    capacity: Int, counters: DeferredEventCounters
  ) {
    gate = MIDIChainGate(counters)
    current = chain
    self.mailbox = mailbox
    self.values = values
    scratch = .allocate(events: capacity, payload: 0)
  }

  /// - Thread: [control], after its last use.
  func deallocate() -> [UnsafeMutablePointer<MIDIChain>] {
    for ledger in [held, sounding, leavingHeld, leavingSounding, pendingReleases, ended] {
      ledger.deallocate()
    }
    outlet.deallocate()
    scratch.deallocate()
    gate.deallocate()
    return leaving.map { [current, $0] } ?? [current]
  }

  @_noLocks @_noAllocation
  mutating func process(_ events: RenderEventList, _ call: MIDIChainCall) {
    takeNext()
    if gate.takeLostEnd() { reset() }
    gate.admit(events, during: call, to: current)
    if leaving == nil && pendingReleases.isEmpty && ended.isEmpty {
      Self.process(events, call, current, held: &held, sounding: &sounding, outlet)
      return
    }
    scratch.removeAll()
    let isHolding = !leavingHeld.isEmpty
    let ending = route(events, before: call.end)
    if let leaving, isHolding {
      var frames = call.frameCount
      // The old chain sends nothing after the end of the last note or pedal that it holds.
      if let ending { frames = ending > call.start ? Int(ending &- call.start) + 1 : 1 }
      leaving.pointee.process(
        scratch,
        during: MIDIChainCall(
          start: call.start, frameCount: frames, sampleRate: call.sampleRate, context: call.context)
      )
      bringParameters(to: events, before: call.end)
    }
    current.pointee.process(events, during: call)
    merge(into: events, during: call, leavingAt: isHolding ? ending : call.start)
  }

  @_noLocks @_noAllocation
  private static func process(
    _ events: RenderEventList, _ call: MIDIChainCall, _ chain: UnsafeMutablePointer<MIDIChain>,
    held: UnsafeMutablePointer<NoteLedger>, sounding: UnsafeMutablePointer<NoteLedger>,
    _ outlet: NoteOutlet
  ) {
    chain.pointee.process(
      events, during: call, held: held, sounding: NoteSink(ledger: sounding, outlet: outlet))
  }

  /// Takes a new chain over. The current one becomes the leaving one; a chain that was leaving
  /// ends.
  @_noLocks @_noAllocation
  private mutating func takeNext() {
    if !mailbox.isPending { return }
    if let leaving {
      if !mailbox.retire(leaving) { return }
      self.leaving = nil
      leavingHeld.moveAll(to: &ended)
      leavingSounding.moveAll(to: &pendingReleases)
    }
    guard let next = mailbox.take(retiring: nil) else { return }
    let empty = (leavingHeld, leavingSounding)
    (leavingHeld, leavingSounding) = (held, sounding)
    (held, sounding) = empty
    leaving = current
    current = next.assumingMemoryBound(to: MIDIChain.self)
    // Settings changed since the chain was made count too, whichever side has set them.
    current.pointee.readParameters(values)
    current.pointee.updateCosts()
    current.pointee.setBypassed(isBypassed)
  }

  /// Merges the events that both chains have sent, and ends the old chain.
  /// - Parameter frame: the frame on which the old chain ends; nil if it still holds notes or
  ///   pedals.
  @_noLocks @_noAllocation
  private mutating func merge(
    into events: RenderEventList, during call: MIDIChainCall, leavingAt frame: FrameTime?
  ) {
    var previous: UnsafeMutablePointer<RenderEvent>?
    if !pendingReleases.isEmpty {
      previous = pendingReleases.release(
        into: events, after: nil, at: call.start, through: outlet,
        others: (sounding, leavingSounding))
    }
    var next = scratch.first
    while let event = next, event.pointee.frame < call.end {
      next = scratch.next(after: event)
      let message = event.pointee.message
      let kind = MessageKind.of(event)
      if !leavingSounding.isForReceiver(message, kind) { continue }
      previous = noteSent(events, after: previous, before: event.pointee.frame)
      if kind.isNoteOn || kind.isNoteOff {
        previous = sendOld(event, message, kind, behind: previous, in: events)
        continue
      }
      if let added = events.insert(event.pointee, after: previous) {
        previous = added
        leavingSounding.take(message, kind)
        sounding.applyReleases(of: message, kind)
        pendingReleases.applyReleases(of: message, kind)
      } else {
        leavingSounding.moveEnds(of: message, kind, to: &pendingReleases)
      }
    }
    if let frame, let leaving {
      previous = noteSent(events, after: previous, before: frame)
      leavingSounding.moveAll(to: &pendingReleases)
      previous = pendingReleases.release(
        into: events, after: previous, at: frame, through: outlet,
        others: (sounding, leavingSounding))
      if mailbox.retire(leaving) { self.leaving = nil }
    }
    _ = noteSent(events, after: previous, before: call.end)
  }

  /// The number of notes that all chains have on a message's channel and key.
  @_noLocks @_noAllocation
  private func claims(_ message: ShortMessage) -> Int {
    let index = message.noteIndex
    return sounding.count(index) + leavingSounding.count(index) + pendingReleases.count(index)
  }

  /// Sends a note of the old chain on.
  /// - Returns: the last event that is left of it; `previous` for none.
  @_noLocks @_noAllocation
  private mutating func sendOld(
    _ event: UnsafeMutablePointer<RenderEvent>, _ message: ShortMessage, _ kind: MessageKind,
    behind previous: UnsafeMutablePointer<RenderEvent>?, in events: RenderEventList
  ) -> UnsafeMutablePointer<RenderEvent>? {
    guard let added = events.insert(event.pointee, after: previous) else {
      leavingSounding.moveEnds(of: message, kind, to: &pendingReleases)
      return previous
    }
    let last = outlet.send(
      added, isOn: kind.isNoteOn, claims: claims(message), behind: previous, in: events)
    leavingSounding.take(message, kind)
    return last
  }

  /// Takes in the events that the current chain has sent before a frame. A note sounds until all
  /// chains have ended it.
  /// - Returns: the last event before the frame.
  @_noLocks @_noAllocation
  private mutating func noteSent(
    _ events: RenderEventList, after event: UnsafeMutablePointer<RenderEvent>?,
    before frame: FrameTime
  ) -> UnsafeMutablePointer<RenderEvent>? {
    var last = event
    while let sent = events.next(behind: last), sent.pointee.frame < frame {
      let message = sent.pointee.message
      let kind = MessageKind.of(sent)
      last =
        kind.isNoteOn || kind.isNoteOff
        ? outlet.send(
          sent, isOn: kind.isNoteOn, claims: claims(message), behind: last, in: events) : sent
      sounding.take(message, kind)
      leavingSounding.applyReleases(of: message, kind)
      pendingReleases.applyReleases(of: message, kind)
    }
    return last
  }

  @_noLocks @_noAllocation
  mutating func setBypassed(_ isBypassed: Bool) {
    self.isBypassed = isBypassed
    current.pointee.setBypassed(isBypassed)
    if let leaving { leaving.pointee.setBypassed(isBypassed) }
  }

  /// Ends all sounding notes with the next call.
  @_noLocks @_noAllocation
  mutating func reset() {
    gate.reset()
    sounding.moveAll(to: &pendingReleases)
    leavingSounding.moveAll(to: &pendingReleases)
    held.forgetAll()
    leavingHeld.forgetAll()
    ended.forgetAll()
    current.pointee.reset()
    if let leaving { leaving.pointee.reset() }
  }
}

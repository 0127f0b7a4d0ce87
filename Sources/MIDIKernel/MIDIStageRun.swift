// How events pass stages that follow each other: each event through one stage after the other.

import Realtime
import UnitRender

/// Up to 64 stages of a chain that follow each other; or one alone that time has to pass for.
///
/// An event goes through all stages before the next event goes through any. What a stage puts in
/// behind an event goes through the stages behind it, at once. So each stage sees what it would see if all
/// events had gone through the stage before it first.
///
/// A stage sees the kinds of messages alone that matter to it as it is set at that moment: see
/// `MIDIStage.kindsOfInterest`.
struct MIDIStageRun: BitwiseCopyable {
  private static var maximumCount: Int { @_noLocks @_noAllocation get { 64 } }

  private let places: UnsafeMutablePointer<MIDIChainPlace>
  /// The place in the chain of the run's first stage.
  private let first: Int
  private let count: Int
  private let isTimed: Bool
  private let addresses: MIDIStageAddresses
  /// For each kind of message the stages, as bits, that have to see it.
  private var interested = InlineArray<16, UInt64>(repeating: 0)
  /// The stages, as bits, that something may have to pass around.
  private var bypassed: UInt64 = 0

  /// Divides the stages of a chain into runs.
  /// - Parameter runs: room for as many as there are stages.
  /// - Returns: how many there are.
  /// - Thread: [control]
  static func initialize(
    _ runs: UnsafeMutablePointer<MIDIStageRun>, of places: UnsafeMutablePointer<MIDIChainPlace>,
    count: Int, _ addresses: MIDIStageAddresses
  ) -> Int {
    var runCount = 0
    var first = 0
    while first < count {
      var next = first + 1
      if !places[first].stage.isTimed {
        let end = min(first + maximumCount, count)
        while next < end && !places[next].stage.isTimed { next += 1 }
      }
      (runs + runCount).initialize(to: MIDIStageRun(places, first..<next, addresses))
      runCount += 1
      first = next
    }
    return runCount
  }

  private init(
    _ places: UnsafeMutablePointer<MIDIChainPlace>, _ range: Range<Int>,
    _ addresses: MIDIStageAddresses
  ) {
    self.places = places + range.lowerBound
    first = range.lowerBound
    count = range.count
    isTimed = places[range.lowerBound].stage.isTimed
    self.addresses = addresses
    noteInterests()
  }

  /// Sends the events of a call through the stages.
  /// - Parameter lines: musical time before them.
  /// - Returns: musical time behind them.
  @_noLocks @_noAllocation
  mutating func process(
    _ events: RenderEventList, during call: MIDIChainCall, _ lines: BeatLines
  ) -> BeatLines {
    if isTimed { places[0].stage.begin(call, lines) }
    // What a stage owes from earlier calls it puts before all that has come through the stages before it.
    var from = 0
    var index = 1
    while index < count {
      if places[index].owes {
        process(events, before: call.end, from: from, to: index)
        from = index
      }
      index += 1
    }
    process(events, before: call.end, from: from, to: count)
    return isTimed ? places[0].stage.lines(behind: lines, to: call.end) : lines
  }

  /// Sends events through some of the stages, of which only the first may owe something.
  @_noLocks @_noAllocation
  private mutating func process(
    _ events: RenderEventList, before end: FrameTime, from: Int, to: Int
  ) {
    let stages = (UInt64.max << UInt64(from)) & (UInt64.max >> UInt64(64 - to))
    var previous: UnsafeMutablePointer<RenderEvent>?
    if places[from].owes {
      let owed = places[from].settle(in: events, before: end)
      noteInterest(from)
      previous = pass(
        after: nil, upTo: events.next(behind: owed), in: events, Self.stages(stages, behind: from))
    }
    var next = events.next(behind: previous)
    while let event = next, event.pointee.frame < end {
      if isTimed {
        previous = places[0].stage.advance(after: previous, to: event.pointee.frame, in: events)
      }
      let kind = MessageKind.of(event)
      if case .other = kind {
        previous = passParameter(event, in: events, stages)
      } else if interested[kind.number] & stages == 0 && events.room > 0 {
        previous = event
      } else {
        previous = pass(event, after: previous, in: events, stages)
      }
      next = events.next(behind: previous)
    }
    if isTimed { _ = places[0].stage.advance(after: previous, to: end, in: events) }
  }

  /// Sends an event, and what comes of it, through those of some stages that have to see it.
  /// - Returns: the last event that has come of it, `previous` for none.
  @_noLocks @_noAllocation
  private mutating func pass(
    _ event: UnsafeMutablePointer<RenderEvent>, after previous: UnsafeMutablePointer<RenderEvent>?,
    in events: RenderEventList, _ stages: UInt64
  ) -> UnsafeMutablePointer<RenderEvent>? {
    // Where something has found no room, more may have to be seen from then on.
    if events.room == 0 { noteInterests() }
    let kind = MessageKind.of(event)
    let rest = interested[kind.number] & stages
    switch kind {
    case .noteOn where rest & bypassed == 0:
      return passNote(.noteOn, event, after: previous, in: events, stages, rest)
    case .noteOff where rest & bypassed == 0:
      return passNote(.noteOff, event, after: previous, in: events, stages, rest)
    case .other: return passParameter(event, in: events, stages)
    default:
      return pass(event.pointee.message, kind, event, after: previous, in: events, stages, rest)
    }
  }

  /// Sends the event of a note-on or note-off, which most stages have to see, through stages of which
  /// none is bypassed: what most notes meet is worked out here, without a call.
  /// - Parameter rest: those of the stages that have to see it.
  @_noLocks @_noAllocation @inline(__always)
  private mutating func passNote(
    _ kind: MessageKind, _ event: UnsafeMutablePointer<RenderEvent>,
    after previous: UnsafeMutablePointer<RenderEvent>?, in events: RenderEventList,
    _ stages: UInt64, _ rest: UInt64
  ) -> UnsafeMutablePointer<RenderEvent>? {
    let link = event.pointee.next
    var message = event.pointee.message
    var rest = rest
    while rest != 0 {
      let index = rest.trailingZeroBitCount
      switch places[index].stage {
      case .filter(let stage): message = stage.pointee.process(message, kind)
      case .transpose(let stage): message = stage.pointee.process(message, kind)
      case .velocity(let stage): message = stage.pointee.process(message, kind)
      case .scale(let stage): message = stage.pointee.process(message, kind)
      case .channel(let stage):
        message = stage.pointee.process(message, kind, of: event, in: events)
      case .chord(let stage):
        message = stage.pointee.process(message, kind, of: event, in: events)
      default: return pass(message, kind, event, after: previous, in: events, stages, rest)
      }
      if message.isNone {
        events.remove(event, after: previous)
        return previous
      }
      if event.pointee.next != link {
        event.pointee.message = message
        return pass(
          after: previous, upTo: events.event(at: link), in: events,
          Self.stages(stages, behind: index))
      }
      rest &= rest &- 1
    }
    event.pointee.message = message
    return event
  }

  /// Sends an event with a message of a kind through stages.
  /// - Parameter rest: those of the stages that have to see it.
  @_noLocks @_noAllocation @inline(never)
  private mutating func pass(
    _ message: ShortMessage, _ kind: MessageKind, _ event: UnsafeMutablePointer<RenderEvent>,
    after previous: UnsafeMutablePointer<RenderEvent>?, in events: RenderEventList,
    _ stages: UInt64, _ rest: UInt64
  ) -> UnsafeMutablePointer<RenderEvent>? {
    var message = message
    var kind = kind
    var rest = rest
    let following = events.next(after: event)
    while rest != 0 {
      let index = rest.trailingZeroBitCount
      rest &= rest &- 1
      let before = message.word
      if bypassed >> UInt64(index) & 1 == 0 {
        message = places[index].stage.process(message, kind, of: event, in: events)
      } else {
        message = places[index].processOrPassAround(message, kind, of: event, in: events)
        if !places[index].needsBypass { noteInterest(index) }
      }
      if message.isNone {
        events.remove(event, after: previous)
        return previous
      }
      if events.next(after: event) != following {
        event.pointee.message = message
        return pass(
          after: previous, upTo: following, in: events, Self.stages(stages, behind: index))
      }
      if message.word != before {
        event.pointee.message = message
        kind = MessageKind.of(event)
        let behind = Self.stages(stages, behind: index)
        if case .other = kind { return passParameter(event, in: events, behind) }
        rest = interested[kind.number] & behind
      }
    }
    event.pointee.message = message
    return event
  }

  /// Sends the events between two through some stages.
  /// - Returns: the last event that has come of them, `previous` for none.
  @_noLocks @_noAllocation @inline(never)
  private mutating func pass(
    after previous: UnsafeMutablePointer<RenderEvent>?,
    upTo following: UnsafeMutablePointer<RenderEvent>?, in events: RenderEventList,
    _ stages: UInt64
  ) -> UnsafeMutablePointer<RenderEvent>? {
    var last = previous
    while let event = events.next(behind: last), event != following {
      last = pass(event, after: last, in: events, stages)
    }
    return last
  }

  /// Lets a parameter event take effect if it belongs to one of some stages, and sends what follows
  /// from it through those behind.
  /// - Returns: the last event that has come of it.
  @_noLocks @_noAllocation @inline(never)
  private mutating func passParameter(
    _ event: UnsafeMutablePointer<RenderEvent>, in events: RenderEventList, _ stages: UInt64
  ) -> UnsafeMutablePointer<RenderEvent>? {
    switch event.pointee.eventKind {
    case .parameter?, .parameterRamp?: break
    default: return event
    }
    let index = addresses.place(of: event.pointee.address) - first
    if index < 0 || index >= count || stages >> UInt64(index) & 1 == 0 { return event }
    setParameter(event.pointee.address, of: first + index, to: event.pointee.value)
    if !places[index].stage.owes { return event }
    let following = events.next(after: event)
    _ = places[index].stage.settle(after: event, in: events, before: event.pointee.frame &+ 1)
    return pass(
      after: event, upTo: following, in: events, Self.stages(stages, behind: index))
  }

  /// Those of some stages that stand behind one.
  @_noLocks @_noAllocation
  private static func stages(_ stages: UInt64, behind index: Int) -> UInt64 {
    stages & (UInt64.max << UInt64(index)) << 1
  }

  /// Whether a place of the chain is in this run.
  @_noLocks @_noAllocation
  func has(place: Int) -> Bool { place >= first && place < first + count }

  /// Sets a parameter of the stage at a place of the chain, which is in this run.
  @_noLocks @_noAllocation
  mutating func setParameter(_ address: UInt64, of place: Int, to value: Float) {
    places[place - first].setParameter(Int(truncatingIfNeeded: address & 0xFF), to: value)
    noteInterest(place - first)
  }

  /// Notes what the stages have to see. It may change with a setting, a bypass, and where something finds
  /// no room in a list of events.
  @_noLocks @_noAllocation
  mutating func noteInterests() {
    var index = 0
    while index < count {
      noteInterest(index)
      index += 1
    }
  }

  @_noLocks @_noAllocation
  private mutating func noteInterest(_ index: Int) {
    let bit = UInt64(1) << UInt64(index)
    bypassed = places[index].needsBypass ? bypassed | bit : bypassed & ~bit
    if !places[index].noteKindsOfInterest() { return }
    var kind = 0
    while kind < 16 {
      let isOfInterest = places[index].kindsOfInterest.has(bit: kind)
      interested[kind] = isOfInterest ? interested[kind] | bit : interested[kind] & ~bit
      kind += 1
    }
  }
}

extension RenderEventList {
  /// The event that a link leads to.
  @_noLocks @_noAllocation
  fileprivate func event(at link: UInt32) -> UnsafeMutablePointer<RenderEvent>? {
    if link == 0 { return nil }
    return events + Int(link - 1)
  }

  /// The event after `event`, the first one after nil.
  @_noLocks @_noAllocation
  func next(
    behind event: UnsafeMutablePointer<RenderEvent>?
  ) -> UnsafeMutablePointer<RenderEvent>? {
    if let event { return next(after: event) }
    return first
  }
}

// Stages that follow each other in a chain, and how the events of a call go through them.

import Realtime
import UnitRender

/// Up to 64 stages of a chain that follow each other; or one alone that time has to pass for.
///
/// An event goes through all stages before the next event goes through any. What a stage puts in
/// behind an event goes through the stages behind it, at once. So each stage sees what it would see
/// if all events had gone through the stage before it first.
struct MIDIStageRun: BitwiseCopyable {
  private static var maximumCount: Int { @_noLocks @_noAllocation get { 64 } }

  let places: UnsafeMutablePointer<StageSlot>
  /// The place in the chain of the run's first stage.
  let first: Int
  let count: Int
  let isTimed: Bool
  let addresses: MIDIStageAddresses

  /// Divides the stages of a chain into runs.
  /// - Parameter runs: room for as many as there are stages.
  /// - Returns: how many there are.
  /// - Thread: [control]
  static func initialize(
    _ runs: UnsafeMutablePointer<MIDIStageRun>, of places: UnsafeMutablePointer<StageSlot>,
    count: Int, _ addresses: MIDIStageAddresses
  ) -> Int {
    var runCount = 0
    var first = 0
    while first < count {
      let isTimed = places[first].traits.isTimed
      var next = first + 1
      let end = isTimed ? next : min(first + maximumCount, count)
      while next < end && !places[next].traits.isTimed { next &+= 1 }
      (runs + runCount).initialize(
        to: MIDIStageRun(
          places: places + first, first: first, count: next - first, isTimed: isTimed,
          addresses: addresses))
      runCount &+= 1
      first = next
    }
    return runCount
  }

  /// Sends the events of a call through the stages.
  /// - Parameters:
  ///   - lines: musical time before them.
  ///   - held: takes in what comes; nil for nothing.
  ///   - sounding: takes in what goes out; nil for nothing.
  /// - Returns: musical time behind them.
  @_noLocks @_noAllocation
  func process(
    _ events: RenderEventList, during call: MIDIChainCall, _ lines: BeatSegments,
    held: UnsafeMutablePointer<NoteLedger>?, sounding: NoteSink?
  ) -> BeatSegments {
    if isTimed { places[0].stage.begin(call, lines) }
    // What a stage owes from earlier calls it puts before all that has come through the stages
    // before it.
    var from = 0
    var index = 1
    while index < count {
      if places[index].owes {
        process(
          events, before: call.end, from, index, held: from == 0 ? held : nil, sounding: nil)
        from = index
      }
      index &+= 1
    }
    process(
      events, before: call.end, from, count, held: from == 0 ? held : nil, sounding: sounding)
    return isTimed ? places[0].stage.lines(behind: lines, to: call.end) : lines
  }

  /// Sends events through the stages `from` ..< `to`, of which only the first may owe something.
  @_noLocks @_noAllocation
  private func process(
    _ events: RenderEventList, before end: FrameTime, _ from: Int, _ to: Int,
    held: UnsafeMutablePointer<NoteLedger>?, sounding: NoteSink?
  ) {
    var previous: UnsafeMutablePointer<RenderEvent>?
    if places[from].owes {
      let owed = places[from].settle(
        after: nil, at: events.firstFrame(before: end), in: events)
      previous = pass(after: nil, upTo: events.next(behind: owed), in: events, from + 1, to)
      if let sounding { previous = sounding.send(events, behind: nil, through: previous) }
    }
    while let event = events.next(behind: previous), event.pointee.frame < end {
      if let held { held.pointee.takeMarking(event) }
      if isTimed {
        let before = previous
        previous = places[0].stage.advance(after: before, to: event.pointee.frame, in: events)
        if let sounding { previous = sounding.send(events, behind: before, through: previous) }
      }
      let before = previous
      previous = pass(event, after: before, in: events, from, to)
      if let sounding {
        previous =
          previous == event && events.next(behind: before) == event
          ? sounding.send(event, behind: before, in: events)
          : sounding.send(events, behind: before, through: previous)
      }
    }
    if !isTimed { return }
    let before = previous
    previous = places[0].stage.advance(after: before, to: end, in: events)
    if let sounding { _ = sounding.send(events, behind: before, through: previous) }
  }
}

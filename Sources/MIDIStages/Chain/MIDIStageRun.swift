// Consecutive stages of a chain, and the path of a call's events through them.

import Realtime
import UnitRender

/// Up to 64 consecutive stages of a chain; or a single stage whose time has to advance.
///
/// An event passes all stages before the next event passes any. Events that a stage inserts after
/// it pass the following stages at once. So the input of each stage is the same as if all events
/// had passed the stage before it first.
struct MIDIStageRun: BitwiseCopyable {
  private static var maximumCount: Int { @_noLocks @_noAllocation get { 64 } }

  let slots: UnsafeMutablePointer<StageSlot>
  /// The index in the chain of the run's first stage.
  let first: Int
  let count: Int
  let isTimed: Bool
  let addresses: MIDIStageAddresses

  /// Divides the stages of a chain into runs.
  /// - Parameter runs: room for as many runs as there are stages.
  /// - Returns: the number of runs.
  /// - Thread: [control]
  static func initialize(
    _ runs: UnsafeMutablePointer<MIDIStageRun>, of slots: UnsafeMutablePointer<StageSlot>,
    count: Int, _ addresses: MIDIStageAddresses
  ) -> Int {
    var runCount = 0
    var first = 0
    while first < count {
      let isTimed = slots[first].traits.isTimed
      var next = first + 1
      let end = isTimed ? next : min(first + maximumCount, count)
      while next < end && !slots[next].traits.isTimed { next &+= 1 }
      (runs + runCount).initialize(
        to: MIDIStageRun(
          slots: slots + first, first: first, count: next - first, isTimed: isTimed,
          addresses: addresses))
      runCount &+= 1
      first = next
    }
    return runCount
  }

  /// Sends the events of a call through the stages.
  /// - Parameters:
  ///   - lines: musical time upstream of them.
  ///   - held: takes in the input; nil for none.
  ///   - sounding: takes in the output; nil for none.
  /// - Returns: musical time downstream of them.
  @_noLocks @_noAllocation
  func process(
    _ events: RenderEventList, during call: MIDIChainCall, _ lines: BeatSegments,
    held: UnsafeMutablePointer<NoteLedger>?, sounding: NoteSink?
  ) -> BeatSegments {
    if isTimed { slots[0].stage.begin(call, lines) }
    // A stage's releases pending from earlier calls precede all events that have passed the stages
    // before it.
    var from = 0
    var index = 1
    while index < count {
      if slots[index].hasPendingReleases {
        process(
          events, before: call.end, from, index, held: from == 0 ? held : nil, sounding: nil)
        from = index
      }
      index &+= 1
    }
    process(
      events, before: call.end, from, count, held: from == 0 ? held : nil, sounding: sounding)
    return isTimed ? slots[0].stage.lines(behind: lines, to: call.end) : lines
  }

  /// Sends events through the stages `from` ..< `to`, of which only the first may have pending
  /// releases.
  @_noLocks @_noAllocation
  private func process(
    _ events: RenderEventList, before end: FrameTime, _ from: Int, _ to: Int,
    held: UnsafeMutablePointer<NoteLedger>?, sounding: NoteSink?
  ) {
    var previous: UnsafeMutablePointer<RenderEvent>?
    if slots[from].hasPendingReleases {
      let lastRelease = slots[from].settle(
        after: nil, at: events.firstFrame(before: end), in: events)
      previous = pass(after: nil, upTo: events.next(behind: lastRelease), in: events, from + 1, to)
      if let sounding { previous = sounding.send(events, behind: nil, through: previous) }
    }
    while let event = events.next(behind: previous), event.pointee.frame < end {
      if let held { held.pointee.takeMarking(event) }
      if isTimed {
        let before = previous
        previous = slots[0].stage.advance(after: before, to: event.pointee.frame, in: events)
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
    previous = slots[0].stage.advance(after: before, to: end, in: events)
    if let sounding { _ = sounding.send(events, behind: before, through: previous) }
  }
}

// A stage in its place in a chain, and how messages pass it.

import Realtime
import UnitRender

/// One stage and its bypass.
struct MIDIChainPlace: BitwiseCopyable {
  let stage: MIDIStage
  /// The kinds of message that have to go through the stage or around it: bit n for that of raw
  /// value n. What is no message is one: it may set the stage's parameters.
  private(set) var kindsOfInterest: UInt16 = 0
  /// The place of the stage's first parameter among the values that the chain publishes to.
  let firstParameter: Int32
  let bypass: UnsafeMutablePointer<StageBypass>

  /// - Thread: [control]
  init(stage: MIDIStage, firstParameter: Int) {
    self.stage = stage
    self.firstParameter = Int32(firstParameter)
    bypass = .allocate(capacity: 1)
    bypass.initialize(to: StageBypass())
  }

  /// - Thread: [control], once nobody uses the stage any more.
  func deallocate() {
    stage.deallocate()
    bypass.pointee.deallocate()
    bypass.deallocate()
  }

  /// Notes which kinds of message have to go through the stage or around it; false when these are the
  /// same as before.
  /// - Parameter sharesNotes: whether another stage remembers the notes for this one.
  @_noLocks @_noAllocation
  mutating func noteKindsOfInterest(sharesNotes: Bool) -> Bool {
    let kinds =
      needsBypass
      ? UInt16.max : sharesNotes ? stage.kindsOfInterestBesideNotes : stage.kindsOfInterest
    let before = kindsOfInterest
    kindsOfInterest = kinds | MessageKind.other.bit
    return kindsOfInterest != before
  }

  /// The stage's own parameters and its bypass.
  var parameterCount: Int { @_noLocks @_noAllocation get { stage.parameterCount + 1 } }

  @_noLocks @_noAllocation
  func setParameter(_ index: Int, to value: Float) {
    if index != StageBypass.parameterIndex { return stage.setParameter(index, to: value) }
    let wasOn = bypass.pointee.isOn
    bypass.pointee.set(value >= 0.5)
    if bypass.pointee.isOn != wasOn { stage.setBypassed(!wasOn) }
  }

  @_noLocks @_noAllocation
  func setUnit(isBypassed: Bool) {
    let wasOn = bypass.pointee.isOn
    bypass.pointee.setUnit(isBypassed: isBypassed)
    if bypass.pointee.isOn != wasOn { stage.setBypassed(!wasOn) }
  }

  @_noLocks @_noAllocation
  func settle(
    in list: RenderEventList, before end: FrameTime
  ) -> UnsafeMutablePointer<RenderEvent>? {
    let last = stage.settle(after: nil, in: list, before: end)
    if bypass.pointee.broken == 0 { return last }
    let frame = last?.pointee.frame ?? MIDIStage.firstFrame(list, before: end)
    return endNotes(of: &bypass.pointee.broken, after: last, at: frame, in: list)
  }

  /// Whether something may have to pass around the stage.
  var needsBypass: Bool {
    @_noLocks @_noAllocation get { bypass.pointee.isNeeded && !stage.bypassesItself }
  }

  /// Whether every note goes through the stage as it comes, as it is set now.
  var passesNotes: Bool {
    @_noLocks @_noAllocation get { !needsBypass && stage.isNeutralToNotes }
  }

  /// Whether something of what earlier calls have begun had no room to end.
  var owes: Bool {
    @_noLocks @_noAllocation get { bypass.pointee.broken != 0 || stage.owes }
  }

  /// Sends a message where it has to go: through the stage or around it, or both.
  /// - Returns: what becomes of it; what more comes of it stands right behind the event.
  @_noLocks @_noAllocation @inline(never)
  func processOrPassAround(
    _ message: ShortMessage, _ kind: MessageKind, of event: UnsafeMutablePointer<RenderEvent>,
    in list: RenderEventList
  ) -> ShortMessage {
    let way = bypass.pointee.way(of: message, kind, stage)
    if case .through = way {} else { stage.passedAround(message, kind) }
    if case .around = way { return message }
    var original = event.pointee
    original.message = message
    let following = list.next(after: event)
    let processed = stage.process(message, kind, of: event, in: list)
    if processed.isNone {
      guard case .both = way else { return .none }
      event.pointee.length = original.length
      return message
    }
    processed.write(to: event)
    var last = event
    bypass.pointee.cameThrough(event)
    while let added = list.next(after: last), added != following {
      last = added
      bypass.pointee.cameThrough(added)
    }
    // Only what ends something goes both ways.
    if case .both = way, list.insert(original, after: last) == nil {
      bypass.pointee.broken |=
        original.bytes.0 < 0xF0 ? 1 << UInt16(truncatingIfNeeded: message.channel) : .max
    }
    return processed
  }
}

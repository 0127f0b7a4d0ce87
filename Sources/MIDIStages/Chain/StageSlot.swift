// A stage in its slot of a chain, and the path of messages through it.

import Realtime
import UnitRender

/// One stage, its bypass, and the pending releases of both.
struct StageSlot: BitwiseCopyable {
  let stage: MIDIStage
  let traits: MIDIStageTraits
  /// The index of the stage's first parameter among the values that the chain publishes to.
  let firstParameter: Int32
  var bypass: StageBypass
  private let pendingReleases: UnsafeMutablePointer<PendingReleases>

  /// - Thread: [control]
  init(
    _ kind: MIDIStageKind, at stageIndex: Int, firstParameter: Int, _ targets: MIDITargets,
    sampleRate: Double
  ) {
    pendingReleases = .allocate(capacity: 1)
    pendingReleases.initialize(to: PendingReleases())
    stage = .allocate(
      kind,
      MIDIStageSetup(
        stageIndex: stageIndex, targets: targets, sampleRate: sampleRate,
        pendingReleases: pendingReleases))
    traits = stage.traits
    self.firstParameter = Int32(firstParameter)
    bypass = StageBypass(traits)
  }

  /// - Thread: [control], after the last use of the stage.
  func deallocate() {
    stage.deallocate()
    bypass.deallocate()
    pendingReleases.pointee.deallocate()
    pendingReleases.deallocate()
  }

  /// The number of the stage's own parameters and its bypass.
  var parameterCount: Int { @_noLocks @_noAllocation get { traits.parameterCount &+ 1 } }

  /// Sets a parameter of the stage by its address.
  @_noLocks @_noAllocation
  mutating func setParameter(address: UInt64, to value: Float) {
    setParameter(Int(truncatingIfNeeded: address & 0xFF), to: value)
  }

  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Float) {
    if index != MIDIChainLayout.Stage.bypassIndex { return stage.setParameter(index, to: value) }
    let wasOn = bypass.isOn
    bypass.set(value >= 0.5)
    if bypass.isOn != wasOn { stage.setBypassed(!wasOn) }
  }

  @_noLocks @_noAllocation
  mutating func setUnit(isBypassed: Bool) {
    let wasOn = bypass.isOn
    bypass.setUnit(isBypassed: isBypassed)
    if bypass.isOn != wasOn { stage.setBypassed(!wasOn) }
  }

  /// Whether releases are pending that had no room, or follow from a setting.
  var hasPendingReleases: Bool { @_noLocks @_noAllocation get { !pendingReleases.pointee.isEmpty } }

  /// Inserts pending note-offs and pedal releases until the list is full.
  /// - Returns: the last inserted event; `event` for none.
  @_noLocks @_noAllocation
  mutating func settle(
    after event: UnsafeMutablePointer<RenderEvent>?, at frame: FrameTime, in list: RenderEventList
  ) -> UnsafeMutablePointer<RenderEvent>? {
    pendingReleases.pointee.settle(after: event, at: frame, in: list)
  }

  /// Clears the state from MIDI, such as held notes; settings stay.
  @_noLocks @_noAllocation
  mutating func reset() {
    stage.reset()
    bypass.reset()
    pendingReleases.pointee.forgetAll()
  }

  /// Sends a message through the stage, or where its bypass sends it.
  /// - Returns: the message that replaces it; additional ones are directly after the event.
  @_noLocks @_noAllocation @inline(__always)
  mutating func process(
    _ message: ShortMessage, _ kind: MessageKind, of event: UnsafeMutablePointer<RenderEvent>,
    in list: RenderEventList
  ) -> ShortMessage {
    if _slowPath(bypass.isNeeded) { return processOrPassAround(message, kind, of: event, in: list) }
    if traits.kinds & kind.bit == 0 { return message }
    return stage.process(message, kind, of: event, in: list)
  }

  /// Sends a message through the stage, around it, or both.
  /// - Returns: the message that replaces it; additional ones are directly after the event.
  @_noLocks @_noAllocation @inline(never)
  private mutating func processOrPassAround(
    _ message: ShortMessage, _ kind: MessageKind, of event: UnsafeMutablePointer<RenderEvent>,
    in list: RenderEventList
  ) -> ShortMessage {
    if case .systemReset = kind { pendingReleases.pointee.forgetAll() }
    let (through, around) = bypass.route(message, kind, event.pointee.identity, stage)
    if around {
      if !bypass.passAround(message, kind, of: event) { return .none }
      stage.passedAround(message, kind)
    }
    if !through { return message }
    var original = event.pointee
    original.message = message
    let following = list.next(after: event)
    let processed = stage.process(message, kind, of: event, in: list)
    if processed.isNone {
      if !around { return .none }
      event.pointee.length = original.length
      return message
    }
    processed.write(to: event)
    var last = event
    bypass.cameThrough(event)
    while let added = list.next(after: last), added != following {
      last = added
      bypass.cameThrough(added)
    }
    // Only messages that end something take both paths.
    if around && list.insert(original, after: last) == nil {
      pendingReleases.pointee.addAll(
        of: message.status < 0xF0 ? 1 << UInt16(truncatingIfNeeded: message.channel) : .max)
    }
    return processed
  }
}

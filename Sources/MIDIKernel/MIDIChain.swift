// A chain of MIDI stages: the events of a render call in, the events to play out.

import Realtime
import UnitRender

/// One stage and the base address of its parameters.
struct MIDIChainPlace: BitwiseCopyable {
  let baseAddress: UInt64
  let stage: MIDIStage
  let bypass: UnsafeMutablePointer<StageBypass>

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

  /// Where an event has to go.
  @_noLocks @_noAllocation
  func way(of event: UnsafeMutablePointer<RenderEvent>) -> StageBypass.Way {
    if !bypass.pointee.isNeeded || stage.bypassesItself { return .through }
    return bypass.pointee.way(of: event.pointee, stage)
  }
}

/// Stages in a fixed order.
///
/// Each stage turns a sorted list into a sorted list; events of one frame keep their order. A
/// parameter event addressed to a stage takes effect for the MIDI behind it, at once also if it is
/// a ramp, and passes on, so that its value can be published. What a stage has no business with
/// passes unchanged. Stages that make several events of one, or events of their own, take the room
/// for them in the list; the list counts what it had no room for.
///
/// Musical time comes from the call's context (see `MusicalClock`); stages behind a clock stage
/// have that one's.
///
/// The value is a handle: copies name the same chain.
public struct MIDIChain: @unchecked Sendable, BitwiseCopyable {
  private let places: UnsafeMutablePointer<MIDIChainPlace>
  private let targets: MIDITargets
  private let clock: UnsafeMutablePointer<MusicalClock>
  /// The number of stages.
  public let count: Int

  /// - Parameters:
  ///   - targets: the parameters of the unit, its own and those of the stages, that stages may
  ///     move.
  ///   - sampleRate: in hertz, above 0.
  /// - Thread: [control]
  public static func allocate(
    _ layout: MIDIChainLayout, targets: [MIDIChainTarget] = [], sampleRate: Double = 48_000
  ) -> MIDIChain {
    MIDIChain(layout, .allocate(targets, layout), sampleRate)
  }

  private init(_ layout: MIDIChainLayout, _ targets: MIDITargets, _ sampleRate: Double) {
    self.targets = targets
    count = layout.stages.count
    places = .allocate(capacity: max(count, 1))
    clock = .allocate(capacity: 1)
    clock.initialize(to: MusicalClock(lines: .allocate(), epoch: 0))
    for (index, stage) in layout.stages.enumerated() {
      let bypass = UnsafeMutablePointer<StageBypass>.allocate(capacity: 1)
      bypass.initialize(to: StageBypass())
      (places + index).initialize(
        to: MIDIChainPlace(
          baseAddress: stage.baseAddress,
          stage: .allocate(stage.kind, at: index, targets, sampleRate), bypass: bypass))
    }
  }

  /// - Thread: [control], once nobody uses the chain any more.
  public func deallocate() {
    for index in 0..<count {
      places[index].stage.deallocate()
      places[index].bypass.pointee.deallocate()
      places[index].bypass.deallocate()
    }
    places.deallocate()
    targets.deallocate()
    clock.pointee.deallocate()
    clock.deallocate()
  }

  /// Sends the events of a call through the chain. They are changed where they are, so that there
  /// is room for as many as a call can bring.
  /// - Parameters:
  ///   - events: what comes out of the chain takes their place. Events after the call's last frame
  ///     belong to a later call, and stay as they are.
  ///   - call: calls follow each other without gaps, or notes that a stage has begun end late.
  /// - Thread: [render]. - Complexity: O(events · stages)
  @_noLocks @_noAllocation
  public func process(_ events: RenderEventList, during call: MIDIChainCall) {
    clock.pointee.begin(call)
    var lines = clock.pointee.lines
    var index = 0
    while index < count {
      places[index].stage.begin(call, lines)
      run(places[index], events, before: call.end)
      lines = places[index].stage.lines(behind: lines, to: call.end)
      index += 1
    }
    clock.pointee.advance(to: call.end)
  }

  @_noLocks @_noAllocation
  private func run(_ place: MIDIChainPlace, _ events: RenderEventList, before end: FrameTime) {
    var previous = place.settle(in: events, before: end)
    let isTimed = place.stage.isTimed
    var next = events.next(behind: previous)
    while let event = next, event.pointee.frame < end {
      next = events.next(after: event)
      if isTimed {
        previous = place.stage.advance(after: previous, to: event.pointee.frame, in: events)
      }
      if let parameter = parameterIndex(of: event, in: place) {
        place.setParameter(parameter, to: event.pointee.value)
        previous = place.stage.settle(after: event, in: events, before: end)
        continue
      }
      let way = place.way(of: event)
      let message = event.pointee
      if case .through = way {} else { place.stage.passedAround(message) }
      if case .around = way {
        previous = event
        continue
      }
      if !place.stage.process(event, in: events) {
        guard case .both = way else {
          events.remove(event, after: previous)
          continue
        }
        event.pointee.bytes = message.bytes
        event.pointee.length = message.length
        previous = event
        continue
      }
      // What the stage has put behind the event is of its own making.
      previous = event
      place.bypass.pointee.cameThrough(event.pointee)
      while let added = events.next(behind: previous), added != next {
        previous = added
        place.bypass.pointee.cameThrough(added.pointee)
      }
      if case .both = way {
        if let added = events.insert(message, after: previous) {
          previous = added
        } else {
          // Only what ends something goes both ways.
          let isChannels = message.bytes.0 < 0xF0
          place.bypass.pointee.broken |= isChannels ? 1 << UInt16(message.bytes.0 & 15) : .max
        }
      }
    }
    if isTimed { _ = place.stage.advance(after: previous, to: end, in: events) }
  }

  @_noLocks @_noAllocation
  private func parameterIndex(
    of event: UnsafeMutablePointer<RenderEvent>, in place: MIDIChainPlace
  ) -> Int? {
    switch event.pointee.eventKind {
    case .parameter?, .parameterRamp?:
      let index = event.pointee.address &- place.baseAddress
      return index < 0x100 ? Int(index) : nil
    default: return nil
    }
  }

  /// Sets a stage's parameter; false when no stage has the address.
  /// - Thread: [control] before rendering starts, then [render]
  @_noLocks @_noAllocation
  public func setParameter(address: UInt64, to value: Float) -> Bool {
    var index = 0
    while index < count {
      let parameter = address &- places[index].baseAddress
      if parameter < 0x100 {
        places[index].setParameter(Int(parameter), to: value)
        return true
      }
      index += 1
    }
    return false
  }

  /// Lets all MIDI pass around the stages, or no longer, as if each was bypassed.
  /// - Thread: [control] before rendering starts, then [render]. - Complexity: O(stages)
  @_noLocks @_noAllocation
  public func setBypassed(_ isBypassed: Bool) {
    var index = 0
    while index < count {
      places[index].setUnit(isBypassed: isBypassed)
      index += 1
    }
  }

  /// The place of a parameter among all of the chain, in the order of stages and addresses, each
  /// stage's bypass last; nil when no stage has the address.
  /// - Thread: [any]. - Complexity: O(stages)
  @_noLocks @_noAllocation
  public func parameterIndex(ofAddress address: UInt64) -> Int? {
    var before = 0
    var index = 0
    while index < count {
      let parameter = address &- places[index].baseAddress
      let stageCount = places[index].stage.parameterCount
      if parameter < UInt64(stageCount) { return before + Int(parameter) }
      if parameter == UInt64(StageBypass.parameterIndex) { return before + stageCount }
      before += places[index].parameterCount
      index += 1
    }
    return nil
  }

  /// Publishes the value of a parameter event that has come out of the chain; one that belongs to
  /// no stage, or is no number, is left alone.
  /// - Parameters:
  ///   - values: those of the unit's parameters.
  ///   - first: the place of the chain's first parameter among them.
  /// - Thread: [render]. - Complexity: O(stages)
  @_noLocks @_noAllocation
  public func publish(_ event: RenderEvent, to values: ParameterValues, from first: Int) {
    if event.value != event.value { return }
    if let index = parameterIndex(ofAddress: event.address) { values[first + index] = event.value }
  }

  /// Publishes what stages find by themselves, such as the chord that is held.
  /// - Parameters:
  ///   - values: those of the unit's parameters.
  ///   - first: the place of the chain's first parameter among them.
  /// - Thread: [render], at the end of a call. - Complexity: O(stages)
  @_noLocks @_noAllocation
  public func publishReadings(to values: ParameterValues, from first: Int) {
    var place = first
    var index = 0
    while index < count {
      places[index].stage.publish(to: values, from: place)
      place += places[index].parameterCount
      index += 1
    }
  }

  /// Forgets what is held; settings stay.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  public func reset() {
    clock.pointee.reset()
    var index = 0
    while index < count {
      places[index].stage.reset()
      places[index].bypass.pointee.reset()
      index += 1
    }
  }
}

extension RenderEventList {
  /// The event after `event`, the first one after nil.
  @_noLocks @_noAllocation
  fileprivate func next(
    behind event: UnsafeMutablePointer<RenderEvent>?
  ) -> UnsafeMutablePointer<RenderEvent>? {
    if let event { return next(after: event) }
    return first
  }
}

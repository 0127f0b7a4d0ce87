// A chain of MIDI stages: the events of a render call in, the events to play out.

import Realtime
import UnitRender

/// One stage and the base address of its parameters.
struct MIDIChainPlace: BitwiseCopyable {
  let baseAddress: UInt64
  let stage: MIDIStage
}

/// Stages in a fixed order, with the lists between them.
///
/// Each stage turns a sorted list into a sorted list; events of one frame keep their order. A parameter
/// event addressed to a stage takes effect for the MIDI behind it, at once also if it is a ramp, and passes
/// on, so that its value can be published. What a stage has no business with passes unchanged.
///
/// The value is a handle: copies name the same chain.
public struct MIDIChain: @unchecked Sendable, BitwiseCopyable {
  private let places: UnsafeMutablePointer<MIDIChainPlace>
  private let first: RenderEventList
  private let second: RenderEventList
  /// The number of stages.
  public let count: Int

  /// - Parameters:
  ///   - eventCapacity: how many events one call may bring. The default is more than a `HostedUnit`
  ///     passes on by default.
  ///   - payloadCapacity: how many bytes of SysEx one call may bring; the default likewise.
  /// - Thread: [control]
  public static func allocate(
    _ layout: MIDIChainLayout, eventCapacity: Int = 8192, payloadCapacity: Int = 2 * 65536
  ) -> MIDIChain {
    MIDIChain(layout, eventCapacity: eventCapacity, payloadCapacity: payloadCapacity)
  }

  private init(_ layout: MIDIChainLayout, eventCapacity: Int, payloadCapacity: Int) {
    count = layout.stages.count
    places = .allocate(capacity: max(count, 1))
    for (index, stage) in layout.stages.enumerated() {
      (places + index).initialize(
        to: MIDIChainPlace(baseAddress: stage.baseAddress, stage: .allocate(stage.kind)))
    }
    // A chain without stages hands its input through and needs no lists.
    first = .allocate(
      events: count > 0 ? eventCapacity : 0, payload: count > 0 ? payloadCapacity : 0)
    second = .allocate(
      events: count > 1 ? eventCapacity : 0, payload: count > 1 ? payloadCapacity : 0)
  }

  /// - Thread: [control], once nobody uses the chain any more.
  public func deallocate() {
    for index in 0..<count { places[index].stage.deallocate() }
    places.deallocate()
    first.deallocate()
    second.deallocate()
  }

  /// Sends the events before `end` through the chain.
  /// - Parameters:
  ///   - events: the events of a call, nil when it has none.
  ///   - end: the frame after the call's last. Later events belong to a later call, and wait in `events`.
  /// - Returns: what comes out, in memory of the chain that stays as it is until the next call; `events`
  ///   itself from a chain without stages. Events for which a list had no room are counted in the
  ///   `droppedCount` of `events`.
  /// - Thread: [render]. - Complexity: O(events · stages)
  @_noLocks @_noAllocation
  public func process(_ events: RenderEventList?, before end: FrameTime) -> RenderEventList? {
    guard let events, count > 0 else { return events }
    var input = events
    var index = 0
    while index < count {
      let output = index & 1 == 0 ? first : second
      output.removeAll()
      run(places[index], input, before: end, into: output)
      events.header.pointee.droppedCount &+= output.header.pointee.droppedCount
      input = output
      index += 1
    }
    return input
  }

  @_noLocks @_noAllocation
  private func run(
    _ place: MIDIChainPlace, _ input: RenderEventList, before end: FrameTime,
    into output: RenderEventList
  ) {
    var next = input.first
    while let event = next, event.pointee.frame < end {
      if let parameter = parameterIndex(of: event, in: place) {
        place.stage.setParameter(parameter, to: event.pointee.value)
        _ = output.insert(event.pointee)
      } else {
        place.stage.process(event, of: input, into: output)
      }
      next = input.next(after: event)
    }
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
        places[index].stage.setParameter(Int(parameter), to: value)
        return true
      }
      index += 1
    }
    return false
  }

  /// Forgets what is held; settings stay.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  public func reset() {
    var index = 0
    while index < count {
      places[index].stage.reset()
      index += 1
    }
  }
}

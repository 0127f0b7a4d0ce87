// The one place that knows every kind of stage.

import Realtime
import UnitRender

/// A kind of stage. Raw values are part of parameter addresses and never change.
public enum MIDIStageKind: UInt8, Sendable, CaseIterable {
  case filter = 1
  case transpose = 2
  case velocity = 3
  case scale = 4
  case channel = 5
  case bend = 6
  case controller = 7
  case arpeggiator = 8
  case chord = 9
  case echo = 10
  case clock = 11
}

/// A stage with its memory.
///
/// A new kind is a struct with `setParameter`, `process` and `reset` in a file of its own, a case
/// here and in `MIDIStageKind`, and its parameters in the control side's description. All messages go
/// through it, unless it names `kindsOfInterest`.
///
/// What the structs do for each message is mutating also where it changes nothing: to call others
/// takes a copy of the struct.
enum MIDIStage: BitwiseCopyable {
  case filter(UnsafeMutablePointer<FilterStage>)
  case transpose(UnsafeMutablePointer<TransposeStage>)
  case velocity(UnsafeMutablePointer<VelocityStage>)
  case scale(UnsafeMutablePointer<ScaleStage>)
  case channel(UnsafeMutablePointer<ChannelStage>)
  case bend(UnsafeMutablePointer<BendStage>)
  case controller(UnsafeMutablePointer<ControllerStage>)
  case arpeggiator(UnsafeMutablePointer<ArpeggiatorStage>)
  case chord(UnsafeMutablePointer<ChordStage>)
  case echo(UnsafeMutablePointer<EchoStage>)
  case clock(UnsafeMutablePointer<ClockStage>)

  /// - Thread: [control]
  static func allocate(
    _ kind: MIDIStageKind, at place: Int, _ targets: MIDITargets, _ sampleRate: Double
  ) -> MIDIStage {
    switch kind {
    case .filter: .filter(moved(FilterStage(held: .allocate())))
    case .transpose: .transpose(moved(TransposeStage(held: .allocate())))
    case .velocity: .velocity(moved(VelocityStage()))
    case .scale: .scale(moved(ScaleStage(held: .allocate())))
    case .channel: .channel(moved(ChannelStage(held: .allocate())))
    case .bend: .bend(moved(BendStage()))
    case .controller:
      .controller(moved(ControllerStage(at: place, targets, sampleRate: sampleRate)))
    case .arpeggiator:
      .arpeggiator(
        moved(ArpeggiatorStage(held: .allocate(), keys: .allocate(), sounding: .allocate())))
    case .chord: .chord(moved(ChordStage(held: .allocate())))
    case .echo: .echo(moved(EchoStage(voices: .allocate())))
    case .clock:
      .clock(
        moved(
          ClockStage(
            lines: .allocate(), behind: .allocate(), epoch: UInt32(place + 1) << 16)))
    }
  }

  private static func moved<Stage>(_ stage: Stage) -> UnsafeMutablePointer<Stage> {
    let memory = UnsafeMutablePointer<Stage>.allocate(capacity: 1)
    memory.initialize(to: stage)
    return memory
  }

  /// - Thread: [control], once nobody uses the stage any more.
  func deallocate() {
    switch self {
    case .filter(let stage):
      stage.pointee.deallocate()
      stage.deallocate()
    case .transpose(let stage):
      stage.pointee.deallocate()
      stage.deallocate()
    case .velocity(let stage): stage.deallocate()
    case .scale(let stage):
      stage.pointee.deallocate()
      stage.deallocate()
    case .channel(let stage):
      stage.pointee.deallocate()
      stage.deallocate()
    case .bend(let stage): stage.deallocate()
    case .controller(let stage): stage.deallocate()
    case .arpeggiator(let stage):
      stage.pointee.deallocate()
      stage.deallocate()
    case .chord(let stage):
      stage.pointee.deallocate()
      stage.deallocate()
    case .echo(let stage):
      stage.pointee.deallocate()
      stage.deallocate()
    case .clock(let stage):
      stage.pointee.deallocate()
      stage.deallocate()
    }
  }

  /// Their addresses follow each other from the stage's base on.
  var parameterCount: Int {
    @_noLocks @_noAllocation get {
      switch self {
      case .filter: return 29
      case .transpose: return 17
      case .velocity: return 23 + 2 * VelocityStage.pointCount
      case .scale: return 31
      case .channel:
        return ChannelStage.firstZone + ChannelStage.zoneCount * ChannelStage.parametersOfZone
      case .bend: return 18
      case .controller: return ControllerStage.parameterCount
      case .arpeggiator: return ArpeggiatorStage.parameterCount
      case .chord: return ChordStage.parameterCount
      case .echo: return EchoStage.parameterCount
      case .clock: return ClockStage.parameterCount
      }
    }
  }

  @_noLocks @_noAllocation
  func setParameter(_ index: Int, to value: Float) {
    switch self {
    case .filter(let stage): stage.pointee.setParameter(index, to: value)
    case .transpose(let stage): stage.pointee.setParameter(index, to: value)
    case .velocity(let stage): stage.pointee.setParameter(index, to: value)
    case .scale(let stage): stage.pointee.setParameter(index, to: value)
    case .channel(let stage): stage.pointee.setParameter(index, to: value)
    case .bend(let stage): stage.pointee.setParameter(index, to: value)
    case .controller(let stage): stage.pointee.setParameter(index, to: value)
    case .arpeggiator(let stage): stage.pointee.setParameter(index, to: value)
    case .chord(let stage): stage.pointee.setParameter(index, to: value)
    case .echo(let stage): stage.pointee.setParameter(index, to: value)
    case .clock(let stage): stage.pointee.setParameter(index, to: value)
    }
  }

  /// What becomes of a message of a kind, that of `event` of `list`. What more comes of it stands
  /// right behind the event.
  ///
  /// The event still has the message as it was before all stages. What else of it a stage changes
  /// than the message, it changes where it is.
  // The walk over the stages is too large for the compiler to take in what it is only advised to.
  @_noLocks @_noAllocation @_transparent
  func process(
    _ message: ShortMessage, _ kind: MessageKind, of event: UnsafeMutablePointer<RenderEvent>,
    in list: RenderEventList
  ) -> ShortMessage {
    if kind.isNoteOn || kind.isNoteOff {
      let note = NoteMessage(message, isOn: kind.isNoteOn)
      switch self {
      case .filter(let stage): return stage.pointee.process(note).message
      case .transpose(let stage): return stage.pointee.process(note).message
      case .velocity(let stage) where note.isOn: return stage.pointee.process(note).message
      case .scale(let stage): return stage.pointee.process(note).message
      default: break
      }
    }
    switch self {
    case .filter(let stage): return stage.pointee.process(message, kind)
    case .transpose(let stage): return stage.pointee.process(message, kind)
    case .velocity: return message
    case .scale(let stage): return stage.pointee.process(message, kind)
    case .channel(let stage): return stage.pointee.process(message, kind, of: event, in: list)
    case .bend(let stage): return stage.pointee.process(message, kind, of: event, in: list)
    case .controller(let stage): return stage.pointee.process(message, kind, of: event, in: list)
    case .arpeggiator(let stage): return stage.pointee.process(message, kind, in: list)
    case .chord(let stage): return stage.pointee.process(message, kind, of: event, in: list)
    case .echo(let stage):
      stage.pointee.process(message, kind, in: list)
      return message
    case .clock(let stage):
      return stage.pointee.process(event, in: list) ? message : .none
    }
  }

  /// Whether the stage takes notes as such, rather than as messages alone.
  var takesNotes: Bool {
    @_noLocks @_noAllocation get {
      switch self {
      case .filter, .transpose, .velocity, .scale, .channel, .chord: return true
      case .bend, .controller, .arpeggiator, .echo, .clock: return false
      }
    }
  }

  /// Whether the ranges that senders and receivers have may change which kinds matter to the stage.
  var heedsRanges: Bool {
    @_noLocks @_noAllocation get {
      if case .bend = self { return true }
      return false
    }
  }

  /// Whether the stage sends a message to several channels, of which some may find no room.
  var fansOut: Bool {
    @_noLocks @_noAllocation get {
      if case .channel = self { return true }
      return false
    }
  }

  /// Whether the stage may put a message of another kind in the place of one.
  var changesKinds: Bool {
    @_noLocks @_noAllocation get {
      if case .controller = self { return true }
      return false
    }
  }

  /// The kinds of message that may change, or matter to the stage, as it is set now: bit n for that
  /// of raw value n. All others pass.
  var kindsOfInterest: UInt16 {
    @_noLocks @_noAllocation get {
      switch self {
      case .filter(let stage): return stage.pointee.kindsOfInterest
      case .transpose, .scale, .chord: return MessageKind.bitsOfNotes
      case .velocity(let stage): return stage.pointee.isNeutral ? 0 : MessageKind.noteOn.bit
      case .channel(let stage):
        let passesOthers = stage.pointee.isNeutral && stage.pointee.broken == 0
        return MessageKind.bitsOfNotes | (passesOthers ? 0 : MessageKind.bitsOfChannels)
      case .bend(let stage): return stage.pointee.kindsOfInterest
      case .controller(let stage): return stage.pointee.kindsOfInterest
      case .arpeggiator, .echo, .clock: return .max
      }
    }
  }

  /// Puts in what the stage owes the receiver, as far as there is room: before all others what
  /// earlier calls had no room for, behind a parameter event what follows from it.
  /// - Returns: the last event that was put in, `event` for none.
  @_noLocks @_noAllocation
  func settle(
    after event: UnsafeMutablePointer<RenderEvent>?, in list: RenderEventList,
    before end: FrameTime
  ) -> UnsafeMutablePointer<RenderEvent>? {
    switch self {
    case .channel(let stage) where event == nil && stage.pointee.broken != 0:
      return stage.pointee.mend(list, at: Self.firstFrame(list, before: end))
    case .controller(let stage) where stage.pointee.owes:
      let frame = event?.pointee.frame ?? Self.firstFrame(list, before: end)
      return stage.pointee.release(after: event, at: frame, in: list)
    case .chord(let stage) where event == nil && !stage.pointee.owed.isEmpty:
      return stage.pointee.sendOwed(at: Self.firstFrame(list, before: end), in: list)
    case .filter, .transpose, .velocity, .scale, .channel, .bend, .controller, .arpeggiator,
      .chord, .echo, .clock:
      return event
    }
  }

  /// Whether `settle` has something to put in.
  var owes: Bool {
    @_noLocks @_noAllocation get {
      switch self {
      case .channel(let stage): return stage.pointee.broken != 0
      case .controller(let stage): return stage.pointee.owes
      case .chord(let stage): return !stage.pointee.owed.isEmpty
      case .filter, .transpose, .velocity, .scale, .bend, .arpeggiator, .echo, .clock: return false
      }
    }
  }

  /// A frame for what comes before all others.
  @_noLocks @_noAllocation
  static func firstFrame(_ list: RenderEventList, before end: FrameTime) -> FrameTime {
    if let first = list.first, first.pointee.frame < end { return first.pointee.frame }
    return end &- 1
  }

  @_noLocks @_noAllocation
  func reset() {
    switch self {
    case .filter(let stage): stage.pointee.reset()
    case .transpose(let stage): stage.pointee.reset()
    case .velocity: break
    case .scale(let stage): stage.pointee.reset()
    case .channel(let stage): stage.pointee.reset()
    case .bend(let stage): stage.pointee.reset()
    case .controller(let stage): stage.pointee.reset()
    case .arpeggiator(let stage): stage.pointee.reset()
    case .chord(let stage): stage.pointee.reset()
    case .echo(let stage): stage.pointee.reset()
    case .clock(let stage): stage.pointee.reset()
    }
  }

  /// Publishes what the stage finds by itself: the values of its read-only parameters.
  /// - Parameter first: the place of the stage's first parameter among the values.
  @_noLocks @_noAllocation
  func publish(to values: ParameterValues, from first: Int) {
    switch self {
    case .chord(let stage): stage.pointee.publish(to: values, from: first)
    case .clock(let stage): stage.pointee.publish(to: values, from: first)
    case .filter, .transpose, .velocity, .scale, .channel, .bend, .controller, .arpeggiator, .echo:
      break
    }
  }
}

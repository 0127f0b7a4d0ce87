// All kinds of stages, and the dispatch of calls to their types.
//
// One file, since without whole-module optimisation the compiler specialises only the code within a
// file.

import Realtime
import UnitRender

/// A stage with its memory. The value is a handle: copies name the same stage.
///
/// A new kind needs a folder in `Stages` with a `MIDIStageProcessor` and its parameters, and a name
/// in `MIDIStageKind`. It also needs a case and a conformance here, and the description of its
/// parameters in MIDIStagesModel.
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
  static func allocate(_ kind: MIDIStageKind, _ setup: MIDIStageSetup) -> MIDIStage {
    switch kind {
    case .filter: .filter(make(setup))
    case .transpose: .transpose(make(setup))
    case .velocity: .velocity(make(setup))
    case .scale: .scale(make(setup))
    case .channel: .channel(make(setup))
    case .bend: .bend(make(setup))
    case .controller: .controller(make(setup))
    case .arpeggiator: .arpeggiator(make(setup))
    case .chord: .chord(make(setup))
    case .echo: .echo(make(setup))
    case .clock: .clock(make(setup))
    }
  }

  private static func make<Stage: MIDIStageProcessor>(
    _ setup: MIDIStageSetup
  ) -> UnsafeMutablePointer<Stage> {
    let memory = UnsafeMutablePointer<Stage>.allocate(capacity: 1)
    memory.initialize(to: Stage(setup))
    return memory
  }

  /// Passes the stage to a visitor by its own type.
  ///
  /// Generic functions carry no `@_noLocks @_noAllocation`: the compiler checks the specialised
  /// code in the annotated function that calls it. So this switch is the only dispatch.
  @inline(__always)
  private func accept<Visitor: MIDIStageVisitor>(_ visitor: Visitor) -> Visitor.Answer {
    switch self {
    case .filter(let stage): visitor.visit(stage)
    case .transpose(let stage): visitor.visit(stage)
    case .velocity(let stage): visitor.visit(stage)
    case .scale(let stage): visitor.visit(stage)
    case .channel(let stage): visitor.visit(stage)
    case .bend(let stage): visitor.visit(stage)
    case .controller(let stage): visitor.visit(stage)
    case .arpeggiator(let stage): visitor.visit(stage)
    case .chord(let stage): visitor.visit(stage)
    case .echo(let stage): visitor.visit(stage)
    case .clock(let stage): visitor.visit(stage)
    }
  }
}

extension FilterStage: MIDIStageProcessor {}
extension TransposeStage: MIDIStageProcessor {}
extension VelocityStage: MIDIStageProcessor {}
extension ScaleStage: MIDIStageProcessor {}
extension ChannelStage: MIDIStageProcessor {}
extension BendStage: MIDIStageProcessor {}
extension ControllerStage: MIDIStageProcessor {}
extension ArpeggiatorStage: MIDIStageProcessor {}
extension ChordStage: MIDIStageProcessor {}
extension EchoStage: MIDIStageProcessor {}
extension ClockStage: MIDIStageProcessor {}

extension MIDIStageProcessor {
  static var kinds: UInt16 { .max }
  static var isTimed: Bool { false }
  static var bypassesItself: Bool { false }
  static var changesKinds: Bool { false }

  func deallocate() {}
  mutating func publish(to values: ParameterValues, from first: Int) {}
  mutating func copies(ofNote isNote: Bool) -> Int { 1 }

  var heldNotes: HeldNotes? { nil }
  mutating func fit(_ note: Int, _ identity: NoteIdentity) -> Int {
    heldNotes?.fit(note, identity) ?? 0
  }
  mutating func holdsNotes(_ channel: Int) -> Bool {
    heldNotes?.holdsNotes(channel: channel) ?? false
  }
  mutating func pedals(_ channel: Int) -> UInt8 { 0 }
  mutating func passedAround(_ message: ShortMessage, _ kind: MessageKind) {}
  mutating func setBypassed(_ isBypassed: Bool) {}

  mutating func begin(_ call: MIDIChainCall, _ lines: BeatSegments) {}
  mutating func advance(
    after event: UnsafeMutablePointer<RenderEvent>?, to frame: FrameTime, in list: RenderEventList
  ) -> UnsafeMutablePointer<RenderEvent>? { event }
  mutating func lines(behind lines: BeatSegments, to end: FrameTime) -> BeatSegments { lines }
}

/// Traits common to all stages of a kind.
struct MIDIStageTraits: BitwiseCopyable {
  let parameterCount: Int
  let kinds: UInt16
  let isTimed: Bool
  let bypassesItself: Bool
  let changesKinds: Bool
  /// Whether note-offs end notes that the stage remembers; otherwise they pass unchanged.
  let remembersNotes: Bool
}

extension MIDIStage {
  /// - Thread: [control]
  var traits: MIDIStageTraits { accept(Traits()) }

  /// - Thread: [control], after the last use of the stage.
  func deallocate() { accept(Deallocate()) }

  @_noLocks @_noAllocation
  func setParameter(_ index: Int, to value: Float) {
    accept(SetParameter(index: index, value: value))
  }

  @_noLocks @_noAllocation @inline(__always)
  func process(
    _ message: ShortMessage, _ kind: MessageKind, of event: UnsafeMutablePointer<RenderEvent>,
    in list: RenderEventList
  ) -> ShortMessage {
    accept(Process(message: message, kind: kind, event: event, list: list))
  }

  @_noLocks @_noAllocation
  func reset() { accept(Reset()) }

  @_noLocks @_noAllocation
  func publish(to values: ParameterValues, from first: Int) {
    accept(Publish(values: values, first: first))
  }

  @_noLocks @_noAllocation
  func copies(ofNote isNote: Bool) -> Int { accept(Copies(isNote: isNote)) }

  @_noLocks @_noAllocation
  func fit(_ note: Int, _ identity: NoteIdentity) -> Int {
    accept(Fit(note: note, identity: identity))
  }

  @_noLocks @_noAllocation
  func holdsNotes(_ channel: Int) -> Bool { accept(HoldsNotes(channel: channel)) }

  @_noLocks @_noAllocation
  func pedals(_ channel: Int) -> UInt8 { accept(Pedals(channel: channel)) }

  @_noLocks @_noAllocation
  func passedAround(_ message: ShortMessage, _ kind: MessageKind) {
    accept(PassedAround(message: message, kind: kind))
  }

  @_noLocks @_noAllocation
  func setBypassed(_ isBypassed: Bool) { accept(SetBypassed(isBypassed: isBypassed)) }

  @_noLocks @_noAllocation
  func begin(_ call: MIDIChainCall, _ lines: BeatSegments) {
    accept(Begin(call: call, lines: lines))
  }

  @_noLocks @_noAllocation
  func advance(
    after event: UnsafeMutablePointer<RenderEvent>?, to frame: FrameTime, in list: RenderEventList
  ) -> UnsafeMutablePointer<RenderEvent>? {
    accept(Advance(event: event, frame: frame, list: list))
  }

  @_noLocks @_noAllocation
  func lines(behind lines: BeatSegments, to end: FrameTime) -> BeatSegments {
    accept(DownstreamBeats(lines: lines, end: end))
  }
}

private struct Traits: MIDIStageVisitor {
  func visit<Stage: MIDIStageProcessor>(_ stage: UnsafeMutablePointer<Stage>) -> MIDIStageTraits {
    MIDIStageTraits(
      parameterCount: Stage.parameterCount, kinds: Stage.kinds, isTimed: Stage.isTimed,
      bypassesItself: Stage.bypassesItself, changesKinds: Stage.changesKinds,
      remembersNotes: stage.pointee.heldNotes != nil)
  }
}

private struct Deallocate: MIDIStageVisitor {
  func visit<Stage: MIDIStageProcessor>(_ stage: UnsafeMutablePointer<Stage>) {
    stage.pointee.deallocate()
    stage.deallocate()
  }
}

private struct SetParameter: MIDIStageVisitor {
  let index: Int
  let value: Float
  func visit<Stage: MIDIStageProcessor>(_ stage: UnsafeMutablePointer<Stage>) {
    stage.pointee.setParameter(index, to: value)
  }
}

private struct Process: MIDIStageVisitor {
  let message: ShortMessage
  let kind: MessageKind
  let event: UnsafeMutablePointer<RenderEvent>
  let list: RenderEventList
  @inline(__always)
  func visit<Stage: MIDIStageProcessor>(_ stage: UnsafeMutablePointer<Stage>) -> ShortMessage {
    stage.pointee.process(message, kind, of: event, in: list)
  }
}

private struct Reset: MIDIStageVisitor {
  func visit<Stage: MIDIStageProcessor>(_ stage: UnsafeMutablePointer<Stage>) {
    stage.pointee.reset()
  }
}

private struct Publish: MIDIStageVisitor {
  let values: ParameterValues
  let first: Int
  func visit<Stage: MIDIStageProcessor>(_ stage: UnsafeMutablePointer<Stage>) {
    stage.pointee.publish(to: values, from: first)
  }
}

private struct Copies: MIDIStageVisitor {
  let isNote: Bool
  func visit<Stage: MIDIStageProcessor>(_ stage: UnsafeMutablePointer<Stage>) -> Int {
    stage.pointee.copies(ofNote: isNote)
  }
}

private struct Fit: MIDIStageVisitor {
  let note: Int
  let identity: NoteIdentity
  func visit<Stage: MIDIStageProcessor>(_ stage: UnsafeMutablePointer<Stage>) -> Int {
    stage.pointee.fit(note, identity)
  }
}

private struct HoldsNotes: MIDIStageVisitor {
  let channel: Int
  func visit<Stage: MIDIStageProcessor>(_ stage: UnsafeMutablePointer<Stage>) -> Bool {
    stage.pointee.holdsNotes(channel)
  }
}

private struct Pedals: MIDIStageVisitor {
  let channel: Int
  func visit<Stage: MIDIStageProcessor>(_ stage: UnsafeMutablePointer<Stage>) -> UInt8 {
    stage.pointee.pedals(channel)
  }
}

private struct PassedAround: MIDIStageVisitor {
  let message: ShortMessage
  let kind: MessageKind
  func visit<Stage: MIDIStageProcessor>(_ stage: UnsafeMutablePointer<Stage>) {
    stage.pointee.passedAround(message, kind)
  }
}

private struct SetBypassed: MIDIStageVisitor {
  let isBypassed: Bool
  func visit<Stage: MIDIStageProcessor>(_ stage: UnsafeMutablePointer<Stage>) {
    stage.pointee.setBypassed(isBypassed)
  }
}

private struct Begin: MIDIStageVisitor {
  let call: MIDIChainCall
  let lines: BeatSegments
  func visit<Stage: MIDIStageProcessor>(_ stage: UnsafeMutablePointer<Stage>) {
    stage.pointee.begin(call, lines)
  }
}

private struct Advance: MIDIStageVisitor {
  let event: UnsafeMutablePointer<RenderEvent>?
  let frame: FrameTime
  let list: RenderEventList
  func visit<Stage: MIDIStageProcessor>(
    _ stage: UnsafeMutablePointer<Stage>
  ) -> UnsafeMutablePointer<RenderEvent>? {
    stage.pointee.advance(after: event, to: frame, in: list)
  }
}

private struct DownstreamBeats: MIDIStageVisitor {
  let lines: BeatSegments
  let end: FrameTime
  func visit<Stage: MIDIStageProcessor>(_ stage: UnsafeMutablePointer<Stage>) -> BeatSegments {
    stage.pointee.lines(behind: lines, to: end)
  }
}

/// A request to a stage of any kind.
private protocol MIDIStageVisitor {
  associatedtype Answer
  func visit<Stage: MIDIStageProcessor>(_ stage: UnsafeMutablePointer<Stage>) -> Answer
}

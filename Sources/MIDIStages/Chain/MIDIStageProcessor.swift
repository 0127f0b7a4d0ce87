// The required and optional members of a stage.

import Realtime
import UnitRender

/// A stage: a struct that turns each message into another, or into several.
///
/// Members needed by few stages have a default in `MIDIStage.swift` that does nothing.
/// `TransposeStage` is the smallest stage with a memory of notes; `EchoStage` plays in time.
///
/// Per-message methods are `mutating` even where they change nothing: a nonmutating call through a
/// pointer copies the struct.
protocol MIDIStageProcessor {
  /// The number of parameters, at most 255. Their addresses are consecutive, from the stage's base
  /// on.
  static var parameterCount: Int { get }
  /// The kinds of messages that may concern the stage with any settings: bit n is the kind of raw
  /// value n. All others pass.
  static var kinds: UInt16 { get }
  /// Whether the stage makes messages without an event, so that its time has to advance before each
  /// event.
  static var isTimed: Bool { get }
  /// Whether messages pass through the stage while it is bypassed, since it implements its own
  /// bypass.
  static var bypassesItself: Bool { get }
  /// Whether the stage may replace a message by one of another kind.
  static var changesKinds: Bool { get }

  /// - Thread: [control]
  init(_ setup: MIDIStageSetup)

  /// Frees the stage's memory.
  /// - Thread: [control], after the last use of the stage.
  func deallocate()

  /// Sets a parameter by its index in the stage.
  mutating func setParameter(_ index: Int, to value: Float)

  /// Returns the message to send in place of `message`, which is that of `event`; `.none` to drop
  /// it. Additional messages are inserted directly after the event, which may still have its
  /// message from before earlier stages. Other fields of the event are changed in place.
  mutating func process(
    _ message: ShortMessage, _ kind: MessageKind, of event: UnsafeMutablePointer<RenderEvent>,
    in list: RenderEventList
  ) -> ShortMessage

  /// Clears the state from MIDI, such as held notes; settings stay.
  mutating func reset()

  /// Publishes the values of the stage's read-only parameters.
  /// - Parameter first: the index of the stage's first parameter among the values.
  mutating func publish(to values: ParameterValues, from first: Int)

  /// The maximum number of messages that the stage makes from one with its settings: for the limit
  /// of a chain's work.
  mutating func copies(ofNote isNote: Bool) -> Int

  // MARK: Queries for the bypass

  /// The notes that the stage remembers; nil if the stage passes note-offs unchanged.
  var heldNotes: HeldNotes? { get }

  /// The fit of the stage's best note to a message of a channel and key that would end or press it:
  /// see `NoteIdentity.fit`, 0 for none.
  mutating func fit(_ note: Int, _ identity: NoteIdentity) -> Int

  /// Whether notes of a channel, sent on or made, have not ended yet.
  mutating func holdsNotes(_ channel: Int) -> Bool

  /// The pedals of a channel, as bits, that a stage has let in as pressed, if it does more than
  /// pass them.
  mutating func pedals(_ channel: Int) -> UInt8

  /// Takes in a message passed around the stage: it may end notes that the stage has sent.
  mutating func passedAround(_ message: ShortMessage, _ kind: MessageKind)

  /// Notifies the stage that its bypass is switched on or off.
  mutating func setBypassed(_ isBypassed: Bool)

  // MARK: Time

  /// Begins a call.
  /// - Parameter lines: musical time over the call's frames.
  mutating func begin(_ call: MIDIChainCall, _ lines: BeatSegments)

  /// Advances time: inserts the events due before `frame`, after `event` and all events before
  /// that.
  ///
  /// Events due on a frame are inserted after the input events of that frame, so that they can be
  /// made from them. So they do not depend on where calls begin and end.
  /// - Returns: the last inserted event; `event` for none.
  mutating func advance(
    after event: UnsafeMutablePointer<RenderEvent>?, to frame: FrameTime, in list: RenderEventList
  ) -> UnsafeMutablePointer<RenderEvent>?

  /// Musical time for the downstream stages, once the stage has processed the call's events.
  /// - Parameters:
  ///   - lines: musical time upstream of the stage.
  ///   - end: the frame after the call's last.
  mutating func lines(behind lines: BeatSegments, to end: FrameTime) -> BeatSegments
}

/// The values that a stage is made from.
struct MIDIStageSetup {
  /// The stage's index in its chain.
  let stageIndex: Int
  /// The parameters that stages can move.
  let targets: MIDITargets
  /// The sample rate in hertz.
  let sampleRate: Double
  /// Takes in releases without room in the list, and those that follow from a setting.
  let pendingReleases: UnsafeMutablePointer<PendingReleases>
}

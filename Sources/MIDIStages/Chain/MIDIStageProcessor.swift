// What a stage has to do, and what it may.

import Realtime
import UnitRender

/// A stage: a struct that turns each message into another, or into several.
///
/// What few stages need has a default in `MIDIStage.swift`, which does nothing. `TransposeStage` is
/// the smallest that remembers notes, `EchoStage` one that plays in time.
///
/// Per-message methods are `mutating` even where they change nothing: a nonmutating call through a
/// pointer copies the struct.
protocol MIDIStageProcessor {
  /// Their addresses follow each other from the stage's base on; at most 255.
  static var parameterCount: Int { get }
  /// The kinds of message that may concern the stage, whatever its settings: bit n for that of raw
  /// value n. All others pass.
  static var kinds: UInt16 { get }
  /// Whether something comes of the stage without an event: its time has to pass before each event.
  static var isTimed: Bool { get }
  /// Whether messages pass the stage also while it is bypassed: it does itself what a bypass means.
  static var bypassesItself: Bool { get }
  /// Whether the stage may put a message of another kind in the place of one.
  static var changesKinds: Bool { get }

  /// - Thread: [control]
  init(_ setup: MIDIStageSetup)

  /// Frees the stage's memory.
  /// - Thread: [control], once nobody uses the stage any more.
  func deallocate()

  /// Sets a parameter by its index in the stage.
  mutating func setParameter(_ index: Int, to value: Float)

  /// What becomes of a message of a kind, that of `event`; `.none` for nothing. What more comes of
  /// it is put right behind the event, which still has the message as it was before all stages.
  /// Other fields of the event are changed in place.
  mutating func process(
    _ message: ShortMessage, _ kind: MessageKind, of event: UnsafeMutablePointer<RenderEvent>,
    in list: RenderEventList
  ) -> ShortMessage

  /// Forgets what is held; settings stay.
  mutating func reset()

  /// Publishes what the stage finds by itself: the values of its read-only parameters.
  /// - Parameter first: the place of the stage's first parameter among the values.
  mutating func publish(to values: ParameterValues, from first: Int)

  /// How many messages the stage makes of one at most, by its settings: for the bound of a chain's
  /// work.
  mutating func copies(ofNote isNote: Bool) -> Int

  // MARK: What a bypass asks

  /// The notes that the stage remembers, nil for a stage that passes note-offs as they come.
  var heldNotes: HeldNotes? { get }

  /// How well the note that a message of a channel and key would end, or press, in the stage fits
  /// it: see `NoteIdentity.fit`, 0 for none.
  mutating func fit(_ place: Int, _ identity: NoteIdentity) -> Int

  /// Whether notes of a channel were sent on, or made, and have not ended.
  mutating func holdsNotes(_ channel: Int) -> Bool

  /// The pedals of a channel, as bits, that were let in as pressed, by a stage that does more than
  /// pass them.
  mutating func pedals(_ channel: Int) -> UInt8

  /// Takes notice of a message that has passed around the stage: it may end notes that the stage
  /// has sent.
  mutating func passedAround(_ message: ShortMessage, _ kind: MessageKind)

  /// Tells the stage that it is bypassed, or no longer.
  mutating func setBypassed(_ isBypassed: Bool)

  // MARK: Time

  /// A call begins.
  /// - Parameter lines: musical time over the call's frames.
  mutating func begin(_ call: MIDIChainCall, _ lines: BeatSegments)

  /// Lets time pass: puts in what is due before `frame`, behind `event` and all that is before
  /// that.
  ///
  /// What is due on a frame stands behind the events of that frame, so that it can be made of them;
  /// so it does not depend on where calls begin and end.
  /// - Returns: the last event that was put in, `event` for none.
  mutating func advance(
    after event: UnsafeMutablePointer<RenderEvent>?, to frame: FrameTime, in list: RenderEventList
  ) -> UnsafeMutablePointer<RenderEvent>?

  /// Musical time for the stages behind, once the stage has seen the call's events.
  /// - Parameters:
  ///   - lines: musical time before the stage.
  ///   - end: the frame after the call's last.
  mutating func lines(behind lines: BeatSegments, to end: FrameTime) -> BeatSegments
}

/// What a stage is made of.
struct MIDIStageSetup {
  /// The stage's place in its chain.
  let place: Int
  /// The parameters that stages can move.
  let targets: MIDITargets
  /// In hertz.
  let sampleRate: Double
  /// Takes in the ends that find no room, and those that follow from a setting.
  let owed: UnsafeMutablePointer<PendingReleases>
}

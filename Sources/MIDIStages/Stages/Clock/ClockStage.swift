// The stage that follows MIDI clock and MTC for the stages downstream.

import Realtime
import UnitRender

/// Gives the downstream stages tempo and position, by a `MusicalClock` that follows the messages
/// arriving here.
///
/// All messages pass; those of MIDI clock and MTC only if they are to. While it is bypassed, the
/// downstream stages have the time upstream of it; its clock keeps following.
struct ClockStage {
  static var parameterCount: Int { @_noLocks @_noAllocation get { ClockParameter.count } }
  static var isTimed: Bool { @_noLocks @_noAllocation get { true } }
  static var bypassesItself: Bool { @_noLocks @_noAllocation get { true } }

  private var clock: MusicalClock
  private var passes = true
  private var isBypassed = false
  /// Musical time upstream of the stage, and downstream; the latter is complete up to `composed`.
  private var before: BeatSegments?
  private let behind: BeatSegments
  private var composed: FrameTime = 0

  /// - Thread: [control]
  init(_ setup: MIDIStageSetup) {
    // A different epoch for each clock of a chain.
    clock = MusicalClock(lines: .allocate(), epoch: UInt32(setup.stageIndex + 1) << 16)
    behind = .allocate()
  }

  func deallocate() {
    clock.deallocate()
    behind.deallocate()
  }

  @_noLocks @_noAllocation
  mutating func begin(_ call: MIDIChainCall, _ lines: BeatSegments) {
    before = lines
    clock.begin(call)
    composed = call.start
    behind.restart(with: isBypassed ? lines[0] : clock.lines[0])
  }

  @_noLocks @_noAllocation
  mutating func setBypassed(_ isBypassed: Bool) {
    compose(to: clock.now)
    self.isBypassed = isBypassed
  }

  @_noLocks @_noAllocation
  mutating func lines(behind lines: BeatSegments, to end: FrameTime) -> BeatSegments {
    compose(to: end)
    return behind
  }

  @_noLocks @_noAllocation
  private mutating func compose(to end: FrameTime) {
    guard let before else { return }
    behind.append(isBypassed ? before : clock.lines, from: composed, to: end)
    composed = end
  }

  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Float) {
    switch ClockParameter(rawValue: index) {
    case .source: clock.setSource(wholeNumber(value, from: 0, through: 4))
    case .tempo: clock.setTempo(number(value, from: 20, through: 300))
    case .pass: passes = value >= 0.5
    case .offset: clock.setOffset(number(value, from: 0, through: 86399))
    case .measured, .position, nil: break
    }
  }

  @_noLocks @_noAllocation
  mutating func process(
    _ message: ShortMessage, _ kind: MessageKind, of event: UnsafeMutablePointer<RenderEvent>,
    in list: RenderEventList
  ) -> ShortMessage {
    !clock.take(event, in: list) || passes || isBypassed ? message : .none
  }

  @_noLocks @_noAllocation
  mutating func advance(
    after event: UnsafeMutablePointer<RenderEvent>?, to frame: FrameTime, in list: RenderEventList
  ) -> UnsafeMutablePointer<RenderEvent>? {
    clock.advance(to: frame)
    return event
  }

  @_noLocks @_noAllocation
  mutating func reset() { clock.reset() }

  /// Publishes tempo and position at the end of the processed frames.
  @_noLocks @_noAllocation
  mutating func publish(to values: ParameterValues, from first: Int) {
    values[first + ClockParameter.measured.rawValue] = Float(clock.currentTempo)
    values[first + ClockParameter.position.rawValue] = Float(clock.currentPosition)
  }
}

/// The stage's parameters. Raw values are parts of their addresses and never change.
package enum ClockParameter: Int {
  case source = 0
  case tempo, pass, offset
  /// Readings of the stage.
  case measured, position

  static var count: Int { @_noLocks @_noAllocation get { position.rawValue &+ 1 } }
}

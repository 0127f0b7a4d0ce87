// The stage that follows MIDI clock and MTC for the stages behind it.

import Realtime
import UnitRender

/// Gives the stages behind it tempo and position, by a `MusicalClock` that hears what arrives here.
///
/// All messages pass; those of MIDI clock and MTC only if they are to. While it is bypassed, the
/// stages behind have the time that there is before it; it goes on listening.
struct ClockStage {
  static var parameterCount: Int { @_noLocks @_noAllocation get { 6 } }
  private static var tempoIndex: Int { @_noLocks @_noAllocation get { 4 } }
  private static var positionIndex: Int { @_noLocks @_noAllocation get { 5 } }

  var clock: MusicalClock
  private var passes = true
  private var isBypassed = false
  /// Musical time before the stage, and behind it; the latter is composed up to a frame.
  private var before: BeatLines?
  private let behind: BeatLines
  private var composed: FrameTime = 0

  /// - Parameter epoch: another for each clock of a chain.
  /// - Thread: [control]
  init(lines: BeatLines, behind: BeatLines, epoch: UInt32) {
    clock = MusicalClock(lines: lines, epoch: epoch)
    self.behind = behind
  }

  func deallocate() {
    clock.deallocate()
    behind.deallocate()
  }

  @_noLocks @_noAllocation
  mutating func begin(_ call: MIDIChainCall, _ lines: BeatLines) {
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

  /// Musical time behind the stage, once it has seen the call's events.
  @_noLocks @_noAllocation
  mutating func lines(to end: FrameTime) -> BeatLines {
    compose(to: end)
    return behind
  }

  @_noLocks @_noAllocation
  private mutating func compose(to end: FrameTime) {
    guard let before else { return }
    behind.append(isBypassed ? before : clock.lines, from: composed, to: end)
    composed = end
  }

  /// Sets a parameter by its index in the stage: 0 the source, 1 the internal tempo, 2 whether
  /// clock messages pass, 3 the time code that is beat 0; 4 and 5 are what the stage finds.
  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Float) {
    if index == 2 { passes = value >= 0.5 }
    clock.setParameter(index, to: value)
  }

  /// False when the event is not to pass.
  @_noLocks @_noAllocation
  mutating func process(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList
  ) -> Bool {
    !clock.take(event, in: list) || passes || isBypassed
  }

  @_noLocks @_noAllocation
  mutating func reset() { clock.reset() }

  /// Publishes tempo and position at the end of what has been processed.
  @_noLocks @_noAllocation
  func publish(to values: ParameterValues, from first: Int) {
    values[first + Self.tempoIndex] = Float(clock.currentTempo)
    values[first + Self.positionIndex] = Float(clock.currentPosition)
  }
}

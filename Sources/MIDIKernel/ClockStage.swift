// The stage that follows MIDI clock and MTC for the stages behind it.

import Realtime
import UnitRender

/// Gives the stages behind it tempo and position, by a `MusicalClock` that hears what arrives here.
///
/// All messages pass; those of MIDI clock and MTC only if they are to.
struct ClockStage {
  static var parameterCount: Int { @_noLocks @_noAllocation get { 6 } }
  private static var tempoIndex: Int { @_noLocks @_noAllocation get { 4 } }
  private static var positionIndex: Int { @_noLocks @_noAllocation get { 5 } }

  var clock: MusicalClock
  private var passes = true

  /// - Thread: [control]
  init(lines: BeatLines) { clock = MusicalClock(lines: lines) }

  func deallocate() { clock.deallocate() }

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
    !clock.take(event, in: list) || passes
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

// What the stages do for which time passes.

import Realtime
import UnitRender

extension MIDIStage {
  /// Whether something comes of the stage without an event: its time has to pass before each event.
  var isTimed: Bool {
    @_noLocks @_noAllocation get {
      switch self {
      case .arpeggiator, .echo, .clock: return true
      case .filter, .transpose, .velocity, .scale, .channel, .bend, .controller, .chord:
        return false
      }
    }
  }

  /// A call begins.
  /// - Parameter lines: musical time over the call's frames.
  @_noLocks @_noAllocation
  func begin(_ call: MIDIChainCall, _ lines: BeatLines) {
    switch self {
    case .arpeggiator(let stage): stage.pointee.begin(call, lines)
    case .echo(let stage): stage.pointee.begin(call, lines)
    case .clock(let stage): stage.pointee.begin(call, lines)
    case .filter, .transpose, .velocity, .scale, .channel, .bend, .controller, .chord: break
    }
  }

  /// Musical time for the stages behind, once the stage has seen the call's events.
  /// - Parameters:
  ///   - lines: musical time before the stage.
  ///   - end: the frame after the call's last.
  @_noLocks @_noAllocation
  func lines(behind lines: BeatLines, to end: FrameTime) -> BeatLines {
    if case .clock(let stage) = self { return stage.pointee.lines(to: end) }
    return lines
  }

  /// Lets time pass: puts in what is due before `frame`, behind `event` and all that is before
  /// that.
  ///
  /// What is due on a frame stands behind the events of that frame, so that it can be made of them;
  /// so it does not depend on where calls begin and end.
  /// - Returns: the last event that was put in, `event` for none.
  @_noLocks @_noAllocation
  func advance(
    after event: UnsafeMutablePointer<RenderEvent>?, to frame: FrameTime, in list: RenderEventList
  ) -> UnsafeMutablePointer<RenderEvent>? {
    switch self {
    case .arpeggiator(let stage): return stage.pointee.advance(after: event, to: frame, in: list)
    case .echo(let stage): return stage.pointee.advance(after: event, to: frame, in: list)
    case .clock(let stage):
      stage.pointee.clock.advance(to: frame)
      return event
    case .filter, .transpose, .velocity, .scale, .channel, .bend, .controller, .chord:
      return event
    }
  }
}

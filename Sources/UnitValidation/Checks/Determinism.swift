// Check that the same input gives the same output.

import CHeap
import UnitModel

func checkDeterminism(_ trial: Trial) throws {
  let unit = try trial.make()
  let frames = 5000 + (try trial.allocated().latencyFrames)
  var stimulus = Stimulus(unit, frames: frames, seed: 9)
  trial.doing("rendering noise and notes")
  _ = try trial.heard(stimulus)
  stimulus.changes = TimedChange.random(30, of: unit, frames: frames, seed: 9)
  let expected = try trial.fresh(stimulus)
  defer { heapFill(0) }
  for byte: Int32 in [0x5A, 0xFF] {
    trial.doing("rendering in memory that was filled before")
    heapFill(byte)
    trial.expectEqual(
      try trial.fresh(stimulus), expected, "another unit of the kind gives something else")
  }
  heapFill(0)
  trial.doing("rendering two units at once")
  let (first, second) = (try trial.allocated(), try trial.allocated())
  let other = try trial.host(second)
  let disturbance = Stimulus(second, frames: 256, seed: 10)
  let response = try trial.host(first).run(
    stimulus, before: { _ in _ = try other.run(disturbance) })
  trial.expectEqual(response, expected, "beside another unit of the kind it gives something else")
}

// Check of cycle lengths and buffer memory.

import UnitModel
import UnitRender

func checkCycles(_ trial: Trial) throws {
  let maximum = Trial.maximumFrames
  let lengths = [
    1, 2, 3, 5, 7, 13, 16, 31, 63, 64, 65, 100, 127, 255, 256, 257, 511, 512, maximum - 1, maximum,
  ]
  let unit = try trial.allocated()
  let host = try trial.host(unit)
  for length in lengths {
    let cycles = CycleLengths.fixed(length)
    trial.doing("rendering \(cycles.text)")
    _ = try host.run(Stimulus(unit, frames: min(16 * length, 4096), seed: UInt64(length)), cycles)
    trial.expectSound(host, while: "in \(cycles.text)")
  }
  trial.doing("rendering more frames than it was allocated for")
  let status = host.render(maximum + 1, Stimulus(frames: 0), 0, .unitOwned)
  if status == RenderStatus.ok {
    trial.fail("it renders \(maximum + 1) frames, allocated for up to \(maximum)")
  }
  _ = host.takeViolations()
  try checkMemories(trial)
}

private func checkMemories(_ trial: Trial) throws {
  let unit = try trial.make()
  let stimulus = Stimulus(unit, frames: 4000, seed: 4)
  let isEffect = [.effect, .musicEffect].contains(unit.componentDescription.type)
  trial.doing("rendering from one memory to another")
  let expected = try trial.fresh(stimulus, .fixed(1000))
  for (memory, name) in [
    (TrialHost.Memory.inPlace, "with the output in the input's memory"),
    (.unitOwned, "with outputs of its own"),
  ] where memory != .inPlace || isEffect {
    trial.doing("rendering \(name)")
    let host = try trial.host(trial.allocated())
    let response = try host.run(stimulus, .fixed(1000), memory: memory)
    trial.expectSound(host, while: name)
    trial.expectEqual(response, expected, "\(name) it sounds otherwise")
  }
}

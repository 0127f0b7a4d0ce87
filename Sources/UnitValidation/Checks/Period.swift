// Check that the output does not depend on the period.

import UnitModel

func checkPeriod(_ trial: Trial) throws {
  let unit = try trial.make()
  trial.doing("rendering noise and notes")
  _ = try trial.heard(Stimulus(unit, frames: 9000, seed: 1))
  for seed: UInt64 in 10..<13 {
    var stimulus = Stimulus(unit, frames: 9000, seed: seed)
    stimulus.changes = TimedChange.random(50, of: unit, frames: 9000, seed: seed)
    var expected: Response?
    for lengths in [
      CycleLengths.fixed(1024), .fixed(1), .fixed(13), .random(upTo: 300, seed: seed),
    ] {
      trial.doing("rendering \(lengths.text)")
      let unit = try trial.allocated()
      let host = try trial.host(unit)
      let response = try host.run(stimulus, lengths)
      trial.expectSound(host, while: "in \(lengths.text)")
      if unit.switches.value(of: .lateEvents) > 0 { trial.fail("events came late") }
      guard let expected else {
        expected = response
        continue
      }
      trial.expectEqual(response, expected, "in \(lengths.text) it differs from cycles of 1024")
    }
  }
}

func checkEvents(_ trial: Trial) throws {
  let unit = try trial.make()
  let late = try trial.allocated().latencyFrames
  let stimulus = Stimulus(unit, frames: 3000 + late, seed: 2, hasGap: false)
  trial.doing("rendering noise and notes")
  let unchanged = try trial.heard(stimulus)
  let count = min(48, try trial.units(within: .seconds(10)) / 4)
  for parameter in unit.schedulableParameters.sample(max(1, count)) {
    trial.doing("scheduling \(parameter.keyPath)")
    let ramps = parameter.flags.contains(.canRamp)
    for (frame, rampFrames) in [(0, 0), (1000, 0), (1063, 500), (1999, 1)] {
      var moved = stimulus
      moved.changes = [
        TimedChange(
          frame: frame, address: parameter.address, value: parameter.farValue,
          rampFrames: ramps ? rampFrames : 0)
      ]
      guard let difference = try trial.fresh(moved).difference(from: unchanged) else { continue }
      if difference.frame < frame {
        trial.fail(
          "a change on frame \(frame) is heard on frame \(difference.frame)",
          expected: "not before frame \(frame)", frame: difference.frame,
          parameter: parameter.keyPath, value: parameter.farValue)
      }
    }
  }
  guard unit.virtualMIDICableCount > 0 else { return }
  for frame in [1, 100, 1063, 1999] {
    trial.doing("sending a note on frame \(frame)")
    var played = stimulus
    played.midi.append(TrialMIDI(frame: frame, bytes: [0x90, 76, 127]))
    played.midi.sort { $0.frame < $1.frame }
    guard let difference = try trial.fresh(played).difference(from: unchanged) else { continue }
    if difference.frame < frame {
      trial.fail(
        "a note on frame \(frame) is heard on frame \(difference.frame)",
        expected: "not before frame \(frame)", frame: difference.frame)
    }
  }
}

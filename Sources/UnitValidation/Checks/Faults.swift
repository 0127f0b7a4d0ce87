// Check with input that is not ordinary audio.

import UnitModel

func checkFaults(_ trial: Trial) throws {
  let unit = try trial.make()
  guard unit.inputBusses.count > 0 else { throw NotChecked(reason: "it has no audio input") }
  try checkSilence(trial)
  let clean = Stimulus(unit, frames: 2048, seed: 5, hasGap: false)
  trial.doing("rendering noise")
  let fresh = try trial.fresh(clean)
  for bus in 0..<min(unit.inputBusses.count, 2) {
    for fault in [Float.nan, .infinity, -.infinity] {
      try checkNonFinite(fault, bus: bus, clean, fresh, trial)
    }
  }
  for (value, name) in [(Float(1e-40), "denormals"), (1e30, "samples of 1e30")] {
    trial.doing("rendering \(name)")
    let unit = try trial.allocated()
    let host = try trial.host(unit)
    var odd = clean
    for bus in odd.audio.indices {
      for channel in odd.audio[bus].indices {
        for frame in 0..<odd.frames { odd.audio[bus][channel][frame] *= value }
      }
    }
    let response = try host.run(odd)
    trial.expectSound(host, while: "given \(name)")
    if value < 1, !response.peak().isFinite { trial.fail("\(name) make it NaN or infinite") }
    unit.reset()
    trial.expectEqual(
      try host.run(clean), fresh, "reset after \(name) it does not sound as fresh", isWarning: true)
  }
}

private func checkSilence(_ trial: Trial) throws {
  let unit = try trial.make()
  guard unit.componentDescription.type == .effect else { return }
  trial.doing("rendering silence")
  let response = try trial.fresh(Stimulus(frames: 4096))
  if let frame = response.firstSound {
    trial.warn("it makes sound of silence", frame: frame, value: response.peak())
  }
}

private func checkNonFinite(
  _ fault: Float, bus: Int, _ clean: Stimulus, _ fresh: Response, _ trial: Trial
) throws {
  let name = "\(fault) on input \(bus + 1)"
  trial.doing("rendering \(name)")
  let unit = try trial.allocated()
  let host = try trial.host(unit)
  _ = try host.run(clean)
  var bad = Stimulus(frames: 256)
  bad.audio = clean.audio.map { $0.map { _ in Sample.silence(256) } }
  for channel in bad.audio[bus].indices { bad.audio[bus][channel][100] = fault }
  let silence = Stimulus(frames: 256)
  var peak = try host.run(bad).peak()
  // A delayed fault appears in a later cycle.
  for _ in 0..<400 where unit.switches.value(of: .nonFiniteCycles) == 0 {
    peak = max(peak, try host.run(silence).peak())
  }
  trial.expectSound(host, while: "given \(name)")
  if !peak.isFinite { trial.fail("\(name) leaves the unit") }
  let count = unit.switches.value(of: .nonFiniteCycles)
  // A unit may treat the fault as silence or ignore that input: then the host does not reset it.
  if count == 0 { unit.reset() }
  let after = try host.run(clean)
  let rest = unit.switches.value(of: .nonFiniteCycles) - count
  if count > 1 || rest > 0 {
    trial.fail(
      "after \(name) it makes NaN or infinity in \(count + rest) cycles",
      expected: "one, after which it is reset")
  }
  trial.expectEqual(after, fresh, "after \(name) and a reset it does not sound as fresh")
}

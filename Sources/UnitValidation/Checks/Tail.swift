// Check of silence after the tail.

import UnitModel

/// The limit after the tail, relative to the peak: −100 dB, plus the peaks of noise above its mean.
private let silenceDecibels = -94.0
/// The longest tail to wait for, in seconds.
private let longestTail = 30.0

func checkTail(_ trial: Trial) throws {
  let unit = try trial.make()
  trial.doing("rendering noise and notes")
  let late = try trial.allocated().latencyFrames
  _ = try trial.heard(Stimulus(unit, frames: 4000 + late, seed: 8))
  var waited = 0
  for seed: UInt64 in [0] + Array(20..<30) {
    let unit = try trial.make()
    if seed > 0 { try unit.setRandomValues(seed: seed) }
    let settings = seed > 0 ? ", with random values of seed \(seed)" : ""
    trial.doing("waiting for the tail's end" + settings)
    try trial.allocate(unit)
    let tail = unit.tailTime
    if tail.isNaN || tail < 0 {
      return trial.fail("its tail is \(tail) seconds", expected: "0 or more")
    }
    if tail == .infinity, seed == 0 { trial.warn("its tail is infinite") }
    // Random settings only with short tails: longer ones only take more time.
    guard tail < (seed == 0 ? longestTail : 3) else { continue }
    waited += 1
    try checkEnd(of: unit, tail: tail, seed: seed, settings, trial)
  }
  if waited == 0, trial.findings.isEmpty {
    throw NotChecked(reason: "its tail is longer than \(Int(longestTail)) seconds")
  }
}

private func checkEnd(
  of unit: AudioUnit, tail: Double, seed: UInt64, _ settings: String, _ trial: Trial
) throws {
  let host = try trial.host(unit)
  let rate = unit.sampleRate
  let loud = try host.run(Stimulus(unit, frames: 24_000, seed: seed, hasGap: false))
  if unit.virtualMIDICableCount > 0 { _ = try host.run(Stimulus.allOff(frames: 1)) }
  // Stops units that a parameter plays.
  for parameter in unit.schedulableParameters where parameter.identifier == "playing" {
    try parameter.setValue(0)
  }
  let frames = Int((tail * rate).rounded(.up))
  _ = try host.run(Stimulus(frames: frames + 48), .fixed(Trial.maximumFrames))
  let rest = try host.run(Stimulus(frames: 1000))
  let level = Sample.decibels(rest.peak())
  let limit = max(Sample.decibels(loud.peak()), 0) + silenceDecibels
  if level >= limit {
    trial.fail(
      "\(tail) s after its input it still sounds, at \(Sample.text(decibels: level))\(settings)",
      expected: "silence, as its tail of \(tail) s says", frame: 24_000 + frames + 48)
  }
  guard seed == 0 else { return }
  _ = try host.run(Stimulus(frames: frames + 4800), .fixed(Trial.maximumFrames))
  let end = try host.run(Stimulus(frames: 2000))
  if let index = end.firstSound {
    trial.warn(
      "twice its tail later it is not silent to the bit", expected: "0",
      frame: 24_000 + 2 * frames + 5848 + index, value: end.peak())
  }
}

// Check that a reset clears the unit's state.

import UnitModel

func checkReset(_ trial: Trial) throws {
  let unit = try trial.allocated()
  let host = try trial.host(unit)
  let late = try unit.latencyFrames
  var before = Stimulus(unit, frames: 5000 + late, seed: 6, hasGap: false)
  // A key that is held at the reset.
  if unit.virtualMIDICableCount > 0 {
    before.midi.append(TrialMIDI(frame: before.frames - 100, bytes: [0x90, 50, 100]))
  }
  trial.doing("rendering noise and notes")
  _ = try trial.heard(before)
  _ = try host.run(before)
  trial.doing("resetting it")
  unit.reset()
  let silence = Stimulus(frames: 4096)
  let rest = try host.run(silence)
  let still = try trial.fresh(silence)
  let floor = Sample.decibels(still.peak())
  let level = Sample.decibels(rest.peak())
  if level > max(floor, -94) + 1 {
    trial.fail(
      "after a reset it still sounds, at \(Sample.text(decibels: level))",
      expected: Sample.text(decibels: floor), frame: rest.firstSound)
  }
  _ = try host.run(before)
  unit.reset()
  let stimulus = Stimulus(unit, frames: 5000 + late, seed: 7)
  let response = try host.run(stimulus)
  trial.expectSound(host, while: "after a reset")
  // Its first messages release held notes.
  let isHeld = { (message: TrialMIDI) in message.frame == 0 && message.bytes.isNoteEnd }
  var heard = response
  heard.midi.removeAll(where: isHeld)
  trial.expectEqual(
    heard, try trial.fresh(stimulus), "reset, it does not sound as fresh", isWarning: true)
}

extension [UInt8] {
  /// Whether a message ends notes.
  fileprivate var isNoteEnd: Bool {
    guard count == 3 else { return false }
    return self[0] & 0xF0 == 0x80 || self[0] & 0xF0 == 0x90 && self[2] == 0
      || self[0] & 0xF0 == 0xB0
  }
}

// Check for calls that are not realtime-safe.

import CRealtime
import UnitModel

/// Moves all parameters under RealtimeSanitizer. If linked, it watches all checks, and ends the
/// process with the position of an unsafe call.
func checkRealtime(_ trial: Trial) throws {
  guard realtimeSanitizerIsLinked() != 0 else {
    throw NotChecked(reason: "this program is built without RealtimeSanitizer")
  }
  trial.doing("rendering under RealtimeSanitizer")
  for seed: UInt64 in 0..<4 {
    let unit = try trial.allocated()
    var stimulus = Stimulus(unit, frames: 20_000, seed: seed)
    stimulus.changes = TimedChange.random(500, of: unit, frames: 20_000, seed: seed)
    guard unit.hasRoom(forEvents: stimulus.changes.count) else { continue }
    _ = try trial.host(unit).run(stimulus, .random(upTo: 300, seed: seed))
    unit.reset()
    _ = try trial.host(unit).run(Stimulus(frames: 512))
  }
}

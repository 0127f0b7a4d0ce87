// A siren: attack, a sustain that loops, and a release at the loop's end.

import Auricle
import AuricleHost

func siren(_ engine: Engine) async throws {
  let player = try ScheduledPlayerUnit(channels: 1)
  try engine.attach(player, id: "siren")
  try await engine.connect(player, to: engine.mainMixerNode)
  try await engine.start()

  try player.schedule(Sounds.sweep(from: 300, to: 900, seconds: 0.5))
  let wail = try Sounds.melody([900, 700, 900, 700], seconds: 0.1)
  try player.schedule(wail, options: .loops, reporting: .looped) { report in
    say("loop \(report.passes)")
  }
  try player.play()
  try await Task.sleep(for: .seconds(2))
  try await player.playOut(
    Sounds.sweep(from: 900, to: 200, seconds: 0.5), options: .interruptsAtLoop)
  say("released")
}

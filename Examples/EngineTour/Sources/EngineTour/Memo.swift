// A memo: two seconds of the machine's input, recorded and played.

import Auricle
import AuricleHost
import Foundation

func memo(_ file: URL, _ mode: Engine.Mode) async throws {
  let recorder = try await AudioRecorder(to: file, name: "memo", mode)
  try await recorder.record()
  try await Task.sleep(for: .seconds(2))
  await recorder.stop()
  say("recorded")

  let player = try await AudioPlayer(contentsOf: file, name: "memo", mode)
  try await player.play()
  try await Task.sleep(for: .seconds(2))
  await player.stop()
  say("played")
}

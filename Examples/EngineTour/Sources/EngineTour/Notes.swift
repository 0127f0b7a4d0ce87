// Notes: a sampler plays a scale. The program chooses the frame of each note.

import Auricle
import AuricleHost
import Foundation

func notes(_ engine: Engine, from font: URL) async throws {
  let sampler = try SamplerUnit()
  try await sampler.load(soundFont: font, bank: 0, program: 0)
  try engine.attach(sampler, id: "piano")
  try await engine.connect(sampler, to: engine.mainMixerNode)
  try await engine.start()

  // The server can end at any time; then there are no frames.
  guard let now = engine.frame, let sampleRate = engine.sampleRate else { return }
  let length = Int64(sampleRate / 5)
  var start = now + length
  for key: UInt8 in [60, 62, 64, 65, 67, 69, 71, 72, 71, 69, 67, 65, 64, 62, 60] {
    try sampler.scheduleMIDI([0x90, key, 100], at: .frame(start))
    try sampler.scheduleMIDI([0x80, key, 0], at: .frame(start + length))
    start += length
  }
  try await Task.sleep(for: .seconds(4))
  say("played")
}

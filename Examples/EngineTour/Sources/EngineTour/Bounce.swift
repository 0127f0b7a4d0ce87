// Bounce: renders a file through a reverb into another file, without a clock.

import Auricle
import AuricleHost
import Foundation

func bounce(_ source: URL, to target: URL) async throws {
  let file = try AudioFileReader(contentsOf: source)
  // A pipe has no length.
  guard let length = file.frameCount else { return say("\(source.path): no file with a length") }
  let engine = try Engine(.offline(sampleRate: file.sampleRate))
  let (player, reverb) = (try ScheduledPlayerUnit(), try ReverbUnit())
  try engine.attach(player)
  try engine.attach(reverb)
  try await engine.connect(player, to: reverb, format: file.processingFormat)
  try await engine.connect(reverb, to: engine.outputNode)
  try player.schedule(contentsOf: source)
  try player.play()
  try await engine.start()

  let writer = try AudioFileWriter(url: target, sampleRate: file.sampleRate, channelCount: 2)
  var left = length + Int(reverb.tailTime * file.sampleRate)
  while left > 0 {
    let channels = try engine.render(min(left, 65_536))
    try writer.write(channels)
    left -= channels[0].count
  }
  try writer.finish()
  await engine.stop()
}

// A stream that arrives in pieces, played through an equalizer to the output.

import Auricle
import AuricleHost
import Foundation

func stream(_ engine: Engine, from url: URL) async throws {
  let reader = try AudioFileReader(contentsOf: url)
  let player = try ScheduledPlayerUnit(channels: reader.channelCount)
  let equalizer = try EQUnit(bandCount: 2)
  equalizer.bands[0].kind = .lowShelf
  equalizer.bands[0].frequency = 120
  equalizer.bands[0].gain = 6
  equalizer.bands[0].bypass = false
  equalizer.bands[1].kind = .parametric
  equalizer.bands[1].frequency = 2000
  equalizer.bands[1].gain = -3
  equalizer.bands[1].bypass = false
  try engine.attach(player, id: "stream")
  try engine.attach(equalizer)
  try await engine.connect(player, to: equalizer)
  try await engine.connect(equalizer, to: engine.outputNode)
  try await engine.start()
  try player.play()

  // Up to 8 pieces wait. Each piece that was played is the cue for the next.
  let consumed = AsyncStream<Void>.makeStream()
  var waiting = 0
  var pieces = 0
  var cues = consumed.stream.makeAsyncIterator()
  while true {
    let piece = try reader.read(maximumFrames: 4096)
    if piece[0].isEmpty { break }
    try player.schedule(
      AudioClip(piece, sampleRate: reader.sampleRate), reporting: .consumed
    ) { _ in consumed.continuation.yield() }
    pieces += 1
    waiting += 1
    if waiting == 8 {
      await cues.next()
      waiting -= 1
    }
  }
  for _ in 0..<waiting { await cues.next() }
  say("\(pieces) pieces")
}

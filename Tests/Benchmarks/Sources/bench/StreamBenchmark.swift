// Streaming of files while they are played, against only reading them.

import Auricle
import Foundation
import MediaFiles
import Players

/// Players that stream a stereo file in a loop, including the work of their disk thread.
final class StreamBenchmark {
  static let playerCount = 64
  static let frameCount = 1024
  private static let fileFrames = 1_440_000

  private let players: [ScheduledPlayerUnit]
  private let hostings: [UnitHosting]
  private let readers: [AudioFileReader]
  private let output: UnsafeMutablePointer<Float>
  private let file: URL
  private var frame: FrameTime = 0
  private var place = 0

  init() throws {
    file = FileManager.default.temporaryDirectory
      .appendingPathComponent("auricle-bench-\(UUID().uuidString).wav")
    let writer = try AudioFileWriter(url: file, sampleRate: 48_000, channelCount: 2)
    var random = SystemRandomNumberGenerator()
    let noise = (0..<Self.fileFrames).map { _ in Float.random(in: -0.1...0.1, using: &random) }
    try writer.write([noise, noise])
    try writer.finish()
    var players: [ScheduledPlayerUnit] = []
    var hostings: [UnitHosting] = []
    var readers: [AudioFileReader] = []
    for _ in 0..<Self.playerCount {
      let player = try ScheduledPlayerUnit(channels: 2)
      try player.allocateRenderResources()
      try player.schedule(contentsOf: file, streams: true, options: .loops)
      try player.play()
      hostings.append(try player.makeHosting())
      players.append(player)
      readers.append(try AudioFileReader(contentsOf: file))
    }
    (self.players, self.hostings, self.readers) = (players, hostings, readers)
    output = .allocate(capacity: 2 * Self.frameCount)
    output.initialize(repeating: 0, count: 2 * Self.frameCount)
  }

  deinit {
    output.deallocate()
    try? FileManager.default.removeItem(at: file)
  }

  private func process() {
    for (player, hosting) in zip(players, hostings) {
      player.serveOffline()
      let hosted = hosting.hosted
      hosted.beginCycle(at: frame, frameCount: Self.frameCount)
      hosted.call.output(0)[0] = output
      hosted.call.output(0)[1] = output + Self.frameCount
      _ = hosted.render(at: frame, frameCount: Self.frameCount)
      hosted.endCycle()
    }
    frame += FrameTime(Self.frameCount)
  }

  private func processBaseline() {
    if place + Self.frameCount > Self.fileFrames { place = 0 }
    for reader in readers {
      if place == 0 { try? reader.seek(toFrame: 0) }
      _ = try? reader.read(
        into: [output, output + Self.frameCount], frameCount: Self.frameCount)
    }
    place += Self.frameCount
  }

  func measure() -> Comparison {
    .measure(
      units: Self.playerCount * Self.frameCount, repetitions: 31, calls: 48, ours: { process() },
      baseline: { processBaseline() })
  }

  /// Frames that were not loaded in time.
  var missedFrames: Int { players.reduce(0) { $0 + $1.missedFrames } }
}

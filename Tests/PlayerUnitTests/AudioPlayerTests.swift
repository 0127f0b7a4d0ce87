// An audio file as a unit: its samples are unchanged.

import Foundation
import Graph
import MediaFiles
import OfflineBackend
import PlayerUnit
import TestSupport
import Testing
import UnitModel

@Suite struct AudioPlayerTests {
  private let folder: TemporaryDirectory
  private let noise = (1...2).map { Signal.noise(frames: 70_000, seed: UInt64($0)) }

  init() throws { folder = try TemporaryDirectory() }

  private func write(_ samples: [[Float]], sampleRate: Double = 48_000) throws -> URL {
    let url = folder.file("take.wav")
    let writer = try AudioFileWriter(
      url: url, sampleRate: sampleRate, channelCount: samples.count)
    try writer.write(samples)
    try writer.finish()
    return url
  }

  private func renderer(_ player: AudioPlayerUnit, sampleRate: Double = 48_000) throws
    -> OfflineRenderer
  {
    let graph = Graph()
    try graph.add(player, id: "player")
    return OfflineRenderer(
      try graph.compile(CompileOptions(sampleRate: sampleRate, maximumFrames: 256, isOffline: true))
    )
  }

  private func render(_ renderer: OfflineRenderer, _ frames: Int, period: Int = 1024) -> [[Float]] {
    var output: [[Float]] = renderer.graph.ports.audioOutputs.map { _ in [] }
    while output[0].count < frames {
      let count = min(period, frames - output[0].count)
      for (channel, samples) in renderer.render(frameCount: count).enumerated() {
        output[channel] += samples
      }
    }
    return output
  }

  @Test(arguments: [100, 1024, 8192])
  func itsSamplesAreThoseOfTheFileOnTheirFrames(period: Int) throws {
    let player = try AudioPlayerUnit(contentsOf: try write(noise))
    let renderer = try renderer(player)
    #expect(render(renderer, 300, period: period)[0] == Signal.silence(frames: 300))
    player.play(afterSeconds: 0.01)
    let output = render(renderer, 72_000, period: period)
    for channel in 0..<2 {
      let expected =
        Signal.silence(frames: 480) + noise[channel] + Signal.silence(frames: 72_000 - 70_480)
      #expect(firstDifference(output[channel], expected) == nil)
    }
    #expect(player.durationSeconds == Double(70_000) / 48_000)
    #expect(player.positionSeconds > player.durationSeconds)
  }

  @Test func leftEarlyItFadesOut() throws {
    let player = try AudioPlayerUnit(
      contentsOf: try write([Signal.constant(0.5, frames: 40_000)]))
    let renderer = try renderer(player)
    player.play()
    #expect(render(renderer, 1_024)[0] == Signal.constant(0.5, frames: 1_024))
    player.end()
    let end = render(renderer, 2_048)[0]
    #expect(largestStep([0.5] + end) < 0.001)
    #expect(end[960...].allSatisfy { $0 == 0 })
    #expect(player.hasEnded)
  }

  @Test func atAnotherSampleRateItIsConverted() throws {
    let url = try write(noise, sampleRate: 44_100)
    let player = try AudioPlayerUnit(contentsOf: url)
    let renderer = try renderer(player)
    player.play()
    let expected = try AudioClip(contentsOf: url).converted(to: 48_000)
    let output = render(renderer, expected.frameCount)
    for channel in 0..<2 {
      #expect(firstDifference(output[channel], expected.channels[channel]) == nil)
    }
  }

  @Test func emptyLongAndForeignFilesAreRefusedByName() throws {
    func message(_ url: URL, maximumBytes: Int = 1 << 30) -> String {
      do {
        _ = try AudioPlayerUnit(contentsOf: url, maximumBytes: maximumBytes)
        return ""
      } catch { return error.description }
    }
    #expect(message(try write([[], []])).contains("take.wav is empty"))
    let long = try write(noise)
    #expect(message(long, maximumBytes: 8 * 70_000) == "")
    #expect(message(long, maximumBytes: 8 * 70_000 - 1).contains("take.wav is too long"))
    #expect(message(try folder.write("no sound", to: "bad.wav")).contains("bad.wav as audio"))
  }
}

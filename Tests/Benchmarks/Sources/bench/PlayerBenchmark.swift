// Many players of short sounds, against copying the sounds.

import Auricle
import Foundation
import MediaFiles
import Players

/// A thousand players, each with a looped sound of a hundredth of a second.
final class PlayerBenchmark {
  static let playerCount = 1000
  static let frameCount = 256
  private static let soundFrames = 480

  private let hostings: [UnitHosting]
  private let sounds: [AudioClip]
  private let output: UnsafeMutablePointer<Float>
  private var frame: FrameTime = 0

  init() throws {
    var random = SystemRandomNumberGenerator()
    var hostings: [UnitHosting] = []
    var sounds: [AudioClip] = []
    for _ in 0..<Self.playerCount {
      let player = try ScheduledPlayerUnit(channels: 1)
      try player.setMaximumFramesToRender(Self.frameCount)
      try player.allocateRenderResources()
      let sound = try AudioClip(
        [(0..<Self.soundFrames).map { _ in Float.random(in: -0.1...0.1, using: &random) }],
        sampleRate: 48_000)
      try player.schedule(sound, options: .loops)
      try player.play()
      hostings.append(try player.makeHosting())
      sounds.append(sound)
    }
    (self.hostings, self.sounds) = (hostings, sounds)
    output = .allocate(capacity: Self.frameCount)
    output.initialize(repeating: 0, count: Self.frameCount)
  }

  deinit { output.deallocate() }

  private func process() {
    for hosting in hostings {
      let hosted = hosting.hosted
      hosted.beginCycle(at: frame, frameCount: Self.frameCount)
      hosted.call.output(0)[0] = output
      _ = hosted.render(at: frame, frameCount: Self.frameCount)
      hosted.endCycle()
    }
    frame += FrameTime(Self.frameCount)
  }

  private var place = 0

  private func processBaseline() {
    for sound in sounds {
      let first = min(Self.frameCount, Self.soundFrames - place)
      memcpy(output, sound.samples + place, 4 * first)
      memcpy(output + first, sound.samples, 4 * (Self.frameCount - first))
    }
    place = (place + Self.frameCount) % Self.soundFrames
  }

  /// The greatest difference between the last player's output and the copy: they must do the same
  /// work.
  func difference() -> Float {
    greatestDifference(
      in: output, count: Self.frameCount, ours: { process() }, baseline: { processBaseline() })
  }

  func measure() -> Comparison {
    .measure(
      units: Self.playerCount, repetitions: 101, calls: 4, ours: { process() },
      baseline: { processBaseline() })
  }
}

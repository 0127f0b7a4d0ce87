// Edits of a playing engine.

import AudioEngine
import Effects
import EnvironmentUnit
import MixerUnit
import Players
import TestSupport
import Testing
import UnitModel
import UnitTestSupport

/// An untouched voice on the left; players, effects and taps added and removed on the right.
private struct Storm {
  private let rig: EngineRig
  private let voice: ScheduledPlayerUnit
  private var random: SeededRandom
  private var players: [ScheduledPlayerUnit] = []

  init(_ rig: EngineRig, seed: UInt64) async throws {
    self.rig = rig
    random = SeededRandom(seed: seed)
    voice = try rig.player(1).unit
    try await rig.engine.connect(voice, to: rig.engine.mainMixerNode, input: 255)
    voice.pan = -1
    try await rig.engine.start()
    try voice.play()
  }

  /// Makes one random edit.
  ///
  /// - Parameter most: the largest number of players at a time.
  mutating func edit(most: Int, makePlayer: (Int) throws -> ScheduledPlayerUnit) async throws {
    let engine = rig.engine
    switch Int.random(in: 0..<6, using: &random) {
    case 0...2 where players.count < most:
      let player = try makePlayer(players.count)
      player.pan = 1
      player.volume = 0.1
      try await engine.connect(player, to: engine.mainMixerNode)
      try player.play()
      players.append(player)
    case 3 where !players.isEmpty:
      let place = Int.random(in: 0..<players.count, using: &random)
      try await engine.detach(players.remove(at: place))
    case 4 where !players.isEmpty:
      let player = players.randomElement(using: &random)!
      let effects: [() throws -> AudioUnit] = [
        { try DelayUnit() }, { try MixerUnit() }, { try EnvironmentUnit() }, { try ReverbUnit() },
      ]
      let effect = try effects.randomElement(using: &random)!()
      try engine.attach(effect)
      try await engine.disconnectOutput(of: player)
      try await engine.connect(player, to: effect)
      let last = effect is EnvironmentUnit ? try await aside(effect) : effect
      try await engine.connect(last, to: engine.mainMixerNode)
    default:
      try await engine.installTap(
        on: players.randomElement(using: &random) ?? voice, bufferSize: 64
      ) { _ in }
    }
  }

  /// Routes an environment through a mixer panned fully right.
  private func aside(_ environment: AudioUnit) async throws -> AudioUnit {
    let mixer = try MixerUnit()
    try rig.engine.attach(mixer)
    mixer.pan = 1
    try await rig.engine.connect(environment, to: mixer)
    return mixer
  }

  mutating func render() throws -> [[Float]] {
    try rig.engine.render(Int.random(in: 1...300, using: &random))
  }
}

@Suite struct EngineStormTests {
  /// The voice stays bit-identical whatever is edited in parallel to it.
  @Test(arguments: 1...2)
  func theOthersAreLeftAsTheyAre(seed: UInt64) async throws {
    let rig = try EngineRig()
    var storm = try await Storm(rig, seed: seed)
    var made: UInt64 = 1
    var heard: [Float] = []
    for _ in 0..<150 {
      try await storm.edit(most: .max) { _ in
        made += 1
        return try rig.player(made, frames: 500).unit
      }
      let output = try storm.render()
      #expect(output[1].allSatisfy { $0.isFinite })
      heard += output[0]
    }
    let reference = try EngineRig()
    let (alone, _) = try reference.player(1)
    alone.pan = -1
    try await reference.engine.connect(alone, to: reference.engine.mainMixerNode, input: 255)
    try await reference.engine.start()
    try alone.play()
    #expect(firstBitDifference(heard, try reference.engine.render(heard.count)[0]) == nil)
  }

  /// Starting, ending and rerouted signals do not click.
  @Test(arguments: 1...4)
  func noStepIsAboveTheSignalsOwn(seed: UInt64) async throws {
    let rig = try EngineRig()
    var storm = try await Storm(rig, seed: seed)
    let most = 6
    var heard: [Float] = []
    for _ in 0..<150 {
      try await storm.edit(most: most) { try rig.hum(periodFrames: 960 + 10 * $0) }
      heard += try storm.render()[1]
    }
    let peak = heard.map(abs).max() ?? 0
    #expect(peak > 0.05)
    // A sine of 50 Hz and amplitude 0.1, and its 5 ms fade; an effect at most doubles it.
    let own = 0.1 * 2 * Float.pi / 960 + 0.1 / 240
    #expect(largestStep(heard) < 2 * Float(most) * own, "\(largestStep(heard)), peak \(peak)")
  }
}

// A game: launched balls in a 3D scene, each with a player that is attached while it flies.

import Auricle
import AuricleHost
import Foundation

func balls(_ engine: Engine, count: Int) async throws {
  let scene = try EnvironmentUnit(EnvironmentLayout(inputs: 64))
  let cannon = try ScheduledPlayerUnit(channels: 1)
  try engine.attach(scene, id: "scene")
  try engine.attach(cannon, id: "cannon")
  try await engine.connect(scene, to: engine.mainMixerNode)
  try await engine.connect(cannon, to: engine.mainMixerNode)
  try await engine.start()
  try cannon.play()
  let launch = try Sounds.sweep(from: 200, to: 1200, seconds: 0.05)
  let bounces = try [300.0, 400, 500, 600].map { try Sounds.strike(hertz: $0, seconds: 0.1) }

  try await withThrowingTaskGroup(of: Void.self) { group in
    for number in 0..<count {
      // Some balls fly at once, 16 at most; the scene has 64 inputs.
      if number >= 16 { try await group.next() }
      try await cannon.playOut(launch)
      group.addTask {
        try await ball(engine, scene, bounces[number % bounces.count], number)
      }
    }
    try await group.waitForAll()
  }
  say("\(count) balls")
}

/// A ball that bounces three times, each time farther away and softer.
private func ball(
  _ engine: Engine, _ scene: EnvironmentUnit, _ bounce: AudioClip, _ number: Int
) async throws {
  let player = try ScheduledPlayerUnit(channels: 1)
  try engine.attach(player)
  try await engine.connect(player, to: scene)
  try player.play()
  for hit in 1...3 {
    player.position = (Float(number % 9 - 4), 0, Float(-hit))
    player.volume = 1 / Float(hit)
    try await player.playOut(bounce)
  }
  try await engine.detach(player)
}

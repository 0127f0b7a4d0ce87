// An engine without a clock, for tests.

import AudioEngine
import MediaFiles
import Players
import TestSupport
import UnitModel

/// An engine without a clock, with players of noise.
struct EngineRig {
  let engine: Engine

  init() throws { engine = try Engine(.offline(sampleRate: 48_000)) }

  func player(_ seed: UInt64, frames: Int = 100_000, channels: Int = 1) throws
    -> (unit: ScheduledPlayerUnit, sound: [Float])
  {
    let unit = try ScheduledPlayerUnit(channels: channels)
    try unit.parameterTree.parameter(keyPath: "fade")!.setValue(0)
    try engine.attach(unit)
    let noise = Signal.noise(frames: frames, seed: seed)
    try unit.schedule(AudioClip([noise], sampleRate: 48_000), options: .loops)
    return (unit, noise)
  }

  /// Returns a player that loops a sine, with fades.
  func hum(periodFrames: Int) throws -> ScheduledPlayerUnit {
    let unit = try ScheduledPlayerUnit(channels: 1)
    try engine.attach(unit)
    let sine = Signal.sine(
      frames: periodFrames, frequencyHertz: 48_000 / Double(periodFrames), amplitude: 1)
    try unit.schedule(AudioClip([sine], sampleRate: 48_000), options: .loops)
    return unit
  }
}

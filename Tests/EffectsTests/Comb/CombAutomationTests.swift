// The comb filter's delay moves without clicks.

import Effects
import Foundation
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitTestSupport

@Suite struct CombAutomationTests {
  static let sine = Signal.sine(frames: 48_000, frequencyHertz: 220, amplitude: 0.5)

  /// Renders the sine through a comb whose parameters follow `moves`.
  private func run(feedback: Float, _ moves: [ParameterMove]) throws -> [Float] {
    let unit = try CombTests.Setting(delay: 5, feedback: feedback, feedforward: 60).makeUnit()
    try unit.schedule(moves)
    return try DirectHost(unit).run([Self.sine])[0]
  }

  /// The doc comment promises that a set delay crossfades the sound before and after.
  @Test func aDelayThatIsSetCrossesOverAndKeepsThePitch() throws {
    let moved = try run(
      feedback: 0, [ParameterMove(frame: 20_000, address: CombUnit.delayAddress, value: 300)])
    func still(_ delay: Float) throws -> [Float] {
      let unit = try CombTests.Setting(delay: delay, feedforward: 60).makeUnit()
      return try DirectHost(unit).run([Self.sine])[0]
    }
    let (before, after) = (try still(5), try still(300))
    for frame in Self.sine.indices {
      let part = min(max(Float(frame - 20_000 + 1) / 960, 0), 1)
      let expected = before[frame] + (after[frame] - before[frame]) * part
      guard abs(moved[frame] - expected) < 1e-5 else {
        Issue.record("frame \(frame): \(moved[frame]) in place of \(expected)")
        return
      }
    }
  }

  @Test func aRampedDelayIsTheDelayedSoundItself() throws {
    // From 5 to 25 ms within half a second: the read position moves at a speed of 0.96.
    let moved = try run(
      feedback: 0,
      [
        ParameterMove(
          frame: 10_000, address: CombUnit.delayAddress, value: 25, rampFrames: 24_000)
      ])
    var worst = 0.0
    for frame in 2000..<48_000 {
      let delay = 5 + 20 * min(max(Double(frame - 10_000 + 1) / 24_000, 0), 1)
      let place = Double(frame) - delay * 48
      let delayed = 0.5 * sin(2 * .pi * 220 * place / 48_000)
      worst = max(worst, abs(Double(moved[frame]) - Double(Self.sine[frame]) - 0.6 * delayed))
    }
    // The error of the interpolation, at 220 Hz.
    #expect(worst < 1e-6)
  }

  @Test(arguments: [Float(0), 70, -70])
  func storesOfSetsAndRampsMakeNoStepAboveTheSounds(feedback: Float) throws {
    var random = SeededRandom(seed: 5)
    var moves: [ParameterMove] = []
    for frame in stride(from: 4800, to: 44_000, by: 100) {
      moves.append(
        ParameterMove(
          frame: frame, address: CombUnit.delayAddress,
          value: Float.random(in: 4...6, using: &random),
          rampFrames: Bool.random(using: &random) ? 0 : 400))
    }
    let still = try run(feedback: feedback, [])
    let moved = try run(feedback: feedback, moves)
    // A jump would be a step of about the amplitude.
    let own = largestStep(still)
    let amplitude = still.map(abs).max()!
    #expect(largestStep(moved) < 4 * own && 4 * own < amplitude)
  }

  @Test func noAutomationMakesItRunAway() throws {
    let unit = try CombTests.Setting(delay: 5, feedback: 99).makeUnit()
    let moves = ParameterMove.random(400, of: unit, frames: 96_000, seed: 6)
      .filter { $0.address == CombUnit.delayAddress }
    try unit.schedule(moves)
    let noise = Signal.noise(frames: 96_000, seed: 7, amplitude: 0.1)
    let output = try DirectHost(unit).run([noise])[0]
    // The highest level without automation is 0.1 / (1 - 0.99), 20 dB.
    #expect(peakDecibels(output) < 20)
  }

  @Test func presetsHaveTheNamesOfTheirSounds() throws {
    #expect(
      try CombUnit().factoryPresets.map(\.name) == ["Metallic Ring", "Light Delay", "Wax Comb"])
  }
}

// A player that feeds a varispeed, in a graph.

import Effects
import Graph
import MediaFiles
import OfflineBackend
import Players
import Realtime
import TestSupport
import Testing
import UnitModel
import UnitTestSupport

@Suite struct VarispeedPlayedTests {
  /// The graph's output for noise that a player starts on a frame.
  private func play(
    _ noise: [Float], at frame: Int, rate: Float, frames: Int, periods: Periods
  ) throws -> [Float] {
    let player = try ScheduledPlayerUnit(channels: 1)
    try player.schedule(try AudioClip([noise], sampleRate: 48_000))
    let speed = try VarispeedUnit()
    try speed.parameterTree.parameter(keyPath: "rate")!.setValue(rate)
    let graph = Graph()
    try graph.add(player, id: "player")
    try graph.add(speed, id: "speed")
    try graph.connect(GraphBus(unit: 0, bus: 0), to: GraphBus(unit: 1, bus: 0))
    let renderer = OfflineRenderer(
      try graph.compile(
        CompileOptions(
          sampleRate: 48_000, maximumFrames: 256, midiEventsPerPort: 16, midiBytesPerPort: 64,
          isOffline: true)))
    try player.play(at: .frame(FrameTime(frame)))
    var output: [Float] = []
    for length in periods.lengths(frames: frames) {
      output += renderer.render(frameCount: length)[0]
    }
    return output
  }

  @Test(arguments: [0, 3, 512, 517, 1000, 1005])
  func aPlayersStartIsOnItsFrameBehindTheLatency(start: Int) throws {
    let noise = Signal.noise(frames: 3_000, seed: 1)
    for periods in Periods.all {
      let output = try play(noise, at: start, rate: 1, frames: 5_000, periods: periods)
      let expected =
        Signal.silence(frames: start + 192) + noise
        + Signal.silence(frames: 5_000 - start - 192 - 3_000)
      #expect(firstBitDifference(output, expected) == nil)
    }
  }

  @Test(arguments: [0.25, 0.7, 2, 4] as [Float])
  func theSoundDoesNotDependOnThePeriodAtAnyRate(rate: Float) throws {
    let noise = Signal.noise(frames: 3_000, seed: 2)
    let outputs = try Periods.all.map {
      try play(noise, at: 517, rate: rate, frames: 14_000, periods: $0)
    }
    #expect(outputs[0].contains { $0 != 0 })
    for output in outputs { #expect(firstBitDifference(outputs[0], output) == nil) }
  }
}

// A player with a time-pitch unit after it, in a graph.

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

@testable import TimePitchUnit

@Suite struct PlayedTests {
  /// Returns a renderer of a player of noise, started on a frame, through effects in series.
  private func renderer(
    _ noise: [Float], at frame: Int, through effects: [AudioUnit]
  ) throws -> OfflineRenderer {
    let player = try ScheduledPlayerUnit(channels: 1)
    try player.schedule(try AudioClip([noise], sampleRate: 48_000))
    let graph = Graph()
    try graph.add(player, id: "player")
    for (index, effect) in effects.enumerated() {
      try graph.add(effect, id: "effect\(index)")
      try graph.connect(GraphBus(unit: index, bus: 0), to: GraphBus(unit: index + 1, bus: 0))
    }
    let renderer = OfflineRenderer(
      try graph.compile(
        CompileOptions(
          sampleRate: 48_000, maximumFrames: 256, midiEventsPerPort: 16, midiBytesPerPort: 64,
          isOffline: true)))
    try player.play(at: .frame(FrameTime(frame)))
    return renderer
  }

  private func render(_ renderer: OfflineRenderer, _ frames: Int, _ periods: Periods) -> [Float] {
    periods.lengths(frames: frames).flatMap { renderer.render(frameCount: $0)[0] }
  }

  @Test(arguments: [0, 517])
  func aPlayersStartIsOnItsFrameBehindTheLatency(start: Int) throws {
    let noise = Signal.noise(frames: 3_000, seed: 1)
    for periods in [Periods.fixed(64), .fixed(1024), .random(upTo: 2000, seed: 3)] {
      let unit = try TimePitchUnit()
      let output = render(try renderer(noise, at: start, through: [unit]), 14_000, periods)
      let silence = Signal.silence(frames: start + unit.latencyInFrames)
      let expected = silence + noise + Signal.silence(frames: 14_000 - silence.count - 3_000)
      #expect(firstBitDifference(output, expected) == nil)
      #expect(unit.missedFrames == 0)
    }
  }

  @Test func itIsNestedWithAVarispeed() throws {
    let noise = Signal.noise(frames: 40_000, seed: 2)
    for isInside in [true, false] {
      let outputs = try [Periods.fixed(64), .fixed(1000)].map { periods in
        let unit = try TimePitchUnit()
        try unit.parameterTree.parameter(keyPath: "rate")!.setValue(1.4)
        let speed = try VarispeedUnit()
        try speed.parameterTree.parameter(keyPath: "rate")!.setValue(0.8)
        return render(
          try renderer(noise, at: 100, through: isInside ? [unit, speed] : [speed, unit]), 24_000,
          periods)
      }
      #expect(rootMeanSquareDecibels(Array(outputs[0][16_000...])) > -20)
      #expect(firstBitDifference(outputs[0], outputs[1]) == nil)
    }
  }
}

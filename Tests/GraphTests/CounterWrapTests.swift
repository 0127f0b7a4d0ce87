// A server's 32-bit frame counter wraps without a lost or late event.

import Graph
import GraphRender
import Realtime
import TestSupport
import Testing
import UnitModel
import UnitRender

@Suite struct CounterWrapTests {
  /// A graph driven as by a backend, with a counter that wraps.
  private final class Server {
    let compiled: CompiledGraph
    let output = UnsafeMutablePointer<Float>.allocate(capacity: 1024)
    let input = UnsafeMutablePointer<Float>.allocate(capacity: 1024)
    var counter: UInt32
    var clock = FrameClock()

    init(_ graph: Graph, counter: UInt32) throws {
      compiled = try graph.compile(maximumFrames: 128)
      self.counter = counter
      input.initialize(repeating: 1, count: 1024)
      output.initialize(repeating: 0, count: 1024)
    }

    deinit {
      input.deallocate()
      output.deallocate()
    }

    /// Renders one period; `midi` has offsets within it.
    func cycle(_ frames: Int, midi: [(offset: Int, key: UInt8)] = []) -> (FrameTime, [Float]) {
      let schedule = compiled.schedule
      let cycle = RenderCycle(frame: clock.extend(counter), frameCount: frames)
      schedule.setExternalInput(0, input)
      schedule.setExternalOutput(0, output)
      schedule.begin(cycle)
      for (offset, key) in midi {
        #expect(
          schedule.unit(0).events.insert(
            .midi(0x90, key, 1, at: cycle.frame + FrameTime(offset))))
      }
      schedule.render(cycle)
      schedule.end()
      counter &+= UInt32(frames)
      return (cycle.frame, Array(UnsafeBufferPointer(start: output, count: frames)))
    }
  }

  @Test(arguments: [UInt32.max - 3000, 0x7FFF_FFFF - 3000, 0] as [UInt32])
  func eventsAcrossTheWrapTakeEffectOnTheirFrame(counter: UInt32) throws {
    var random = SeededRandom(seed: UInt64(counter))
    let frames = 8000
    let graph = Graph()
    let unit = try ProbeUnit()
    try graph.add(unit, id: "u")
    let server = try Server(graph, counter: counter)
    var gains: [Int: Float] = [3000: 7, 3001: 8, 3002: 9]
    var keys: [Int: UInt8] = [2999: 3, 3001: 5]
    for _ in 0..<100 {
      gains[.random(in: 0..<frames, using: &random)] = .random(in: -9...9, using: &random)
      keys[.random(in: 0..<frames, using: &random)] = .random(in: 0...127, using: &random)
    }
    for (frame, gain) in gains.shuffled(using: &random) {
      try unit.scheduleParameter(0, value: gain, at: .frame(FrameTime(frame)))
    }
    var output: [Float] = []
    while output.count < frames {
      let start = output.count
      let length = min(.random(in: 1...1000, using: &random), frames - start)
      let (frame, samples) = server.cycle(
        length,
        midi: (start..<start + length).compactMap { frame in
          keys[frame].map { (frame - start, $0) }
        })
      #expect(frame == FrameTime(start))
      output += samples
    }
    var gain: Float = 1
    var key: UInt8 = 0
    let expected = (0..<frames).map { frame -> Float in
      gain = gains[frame] ?? gain
      key = keys[frame] ?? key
      return gain + Float(key)
    }
    #expect(firstDifference(output, expected) == nil)
    #expect(unit.switches.value(of: .lateEvents) == 0)
    #expect(unit.switches.value(of: .droppedEvents) == 0)
  }

  @Test func eventsMoreThanAWholeRoundAheadWaitForTheirFrame() throws {
    let graph = Graph()
    let unit = try ProbeUnit()
    try graph.add(unit, id: "u")
    let server = try Server(graph, counter: 4_000_000_000)
    let round = FrameTime(1) << 32
    // Frames with the same value of the 32-bit counter, one round apart.
    for (index, frame) in [5, round + 5, 2 * round + 5].enumerated() {
      try unit.scheduleParameter(0, value: Float(index + 2), at: .frame(frame))
    }
    #expect(server.cycle(10).1 == [1, 1, 1, 1, 1, 2, 2, 2, 2, 2])
    // The server skips cycles, less than half a round each time.
    for _ in 0..<4 {
      server.counter &+= 1_073_741_800
      #expect(server.cycle(10).1 == [Float](repeating: 2, count: 10))
    }
    var (frame, _) = server.cycle(10)
    #expect(frame < round)
    server.counter &+= UInt32(round - frame - 10)
    (frame, _) = server.cycle(10)
    #expect(frame == round)
    #expect(unit.parameterTree.parameter(address: 0)!.value == 1)
    #expect(unit.switches.value(of: .lateEvents) == 0)
    #expect(server.output[4] == 2)
    #expect(server.output[5] == 3)
    for _ in 0..<8 {
      server.counter &+= 536_870_000
      #expect(server.cycle(10).1[9] == 3)
    }
    (frame, _) = server.cycle(10)
    server.counter &+= UInt32(2 * round - frame - 10)
    #expect(server.cycle(10).1 == [3, 3, 3, 3, 3, 4, 4, 4, 4, 4])
    #expect(unit.switches.value(of: .lateEvents) == 0)
  }
}

// A cycle of a graph of pass-through units against plain C that copies as often.

import Auricle
import CBaseline
import Graph
import GraphRender

/// A chain of stereo pass-through units, or as many beside each other with ports of their own.
final class GraphBenchmark {
  static let frameCount = 64
  /// How long a cycle may take, in nanoseconds.
  static let period = 64 / 48_000.0 * 1e9

  private let unitCount: Int
  private let units: [AudioUnit]
  private let compiled: CompiledGraph
  private let buffers: [UnsafeMutablePointer<Float>]
  private var frame: FrameTime = 0

  init(unitCount: Int, isChain: Bool = true) throws {
    self.unitCount = unitCount
    let graph = Graph()
    units = try (0..<unitCount).map { _ in try PassUnit() }
    for (index, unit) in units.enumerated() {
      try graph.add(unit, id: "unit\(index)")
      if isChain && index > 0 {
        try graph.connect(GraphBus(unit: index - 1, bus: 0), to: GraphBus(unit: index, bus: 0))
      }
    }
    compiled = try graph.compile(CompileOptions(sampleRate: 48000, maximumFrames: 64))
    buffers = (0..<4).map { index in
      let buffer = UnsafeMutablePointer<Float>.allocate(capacity: Self.frameCount)
      buffer.initialize(repeating: Float(index + 1), count: Self.frameCount)
      return buffer
    }
    for channel in 0..<(isChain ? 2 : 2 * unitCount) {
      compiled.schedule.setExternalInput(channel, buffers[channel % 2])
      compiled.schedule.setExternalOutput(channel, buffers[2 + channel % 2])
    }
  }

  deinit { for buffer in buffers { buffer.deallocate() } }

  private func cycle() {
    let cycle = RenderCycle(frame: frame, frameCount: Self.frameCount)
    compiled.schedule.begin(cycle)
    compiled.schedule.render(cycle)
    compiled.schedule.end()
    frame += FrameTime(Self.frameCount)
  }

  /// Whether what went in came out.
  func passes() -> Bool {
    cycle()
    return buffers[2][Self.frameCount - 1] == 1 && buffers[3][0] == 2
  }

  /// Nanoseconds a unit.
  func measure() -> Comparison {
    .measure(
      units: unitCount, calls: 4096 / unitCount, ours: { cycle() },
      baseline: {
        baselineCopies(
          buffers[0], buffers[1], buffers[2], buffers[3], Int32(Self.frameCount),
          Int32(unitCount))
      })
  }

  /// Nanoseconds of a cycle in which some units take an event each whose frame is noted, against
  /// one in which nothing comes.
  func measureJournal(changing count: Int) throws -> Comparison {
    var pairs: [(ours: Double, baseline: Double)] = []
    for _ in 0..<2_001 {
      for unit in units.prefix(count) { try unit.scheduleOwnEvent(address: 7, value: 0) }
      let ours = processorSeconds { cycle() }
      pairs.append((ours * 1e9, processorSeconds { cycle() } * 1e9))
    }
    return Comparison(medianOf: pairs)
  }

  /// Nanoseconds a cycle that is measured, against one that is not.
  func measureMeters() -> Comparison {
    let meters = compiled.schedule.meters
    defer { meters.isOn = false }
    return .measure(
      units: 1, calls: 4096 / unitCount,
      ours: {
        meters.isOn = true
        cycle()
      },
      baseline: {
        meters.isOn = false
        cycle()
      })
  }
}

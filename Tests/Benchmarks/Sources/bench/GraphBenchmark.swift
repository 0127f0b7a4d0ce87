// A cycle of a graph of pass-through units against plain C with as many copies.

import Auricle
import CBaseline
import Graph
import GraphRender

/// A chain of stereo pass-through units, or as many in parallel with their own ports.
final class GraphBenchmark {
  static let frameCount = 64
  /// The duration of a cycle of 64 frames at 48 kHz, in nanoseconds.
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

  /// Whether the input arrives at the output.
  func passes() -> Bool {
    cycle()
    return buffers[2][Self.frameCount - 1] == 1 && buffers[3][0] == 2
  }

  /// Nanoseconds per unit.
  func measure() -> Comparison {
    .measure(
      units: unitCount, calls: 4096 / unitCount, ours: { cycle() },
      baseline: {
        baselineCopies(
          buffers[0], buffers[1], buffers[2], buffers[3], Int32(Self.frameCount),
          Int32(unitCount))
      })
  }

  /// Nanoseconds of a cycle in which `count` units receive one event each and its frame is noted,
  /// against a cycle without events.
  func measureJournal(changing count: Int) throws -> Comparison {
    var pairs: [(ours: Double, baseline: Double)] = []
    for _ in 0..<2_001 {
      for unit in units.prefix(count) { try unit.scheduleOwnEvent(address: 7, value: 0) }
      let ours = processorSeconds { cycle() }
      pairs.append((ours * 1e9, processorSeconds { cycle() } * 1e9))
    }
    return Comparison(medianOf: pairs)
  }

  /// Nanoseconds of a metered cycle, against one without meters.
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

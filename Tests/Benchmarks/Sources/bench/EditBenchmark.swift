// Costs of changing a playing graph: compiling the new graph on the control side, and fading over
// to it on the render side.

import Auricle
import Graph
import GraphRender

/// A chain of stereo pass-through units, in parallel with which a unit is added.
final class EditBenchmark {
  private static let frameCount = 64
  /// Cycles of a fade: the input of the added unit fades in first, then its output.
  private static let fadeCycles = 4

  private let unitCount: Int
  private let without: Graph
  private var steady: CompiledGraph
  private let buffers: [UnsafeMutablePointer<Float>]
  private var frame: FrameTime = 0

  init(unitCount: Int) throws {
    self.unitCount = unitCount
    without = Graph()
    for index in 0..<unitCount { try without.add(PassUnit(), id: "unit\(index)") }
    try Self.connect(without, count: unitCount)
    steady = try without.compile(CompileOptions(sampleRate: 48000, maximumFrames: 64))
    buffers = (0..<8).map { index in
      let buffer = UnsafeMutablePointer<Float>.allocate(capacity: Self.frameCount)
      buffer.initialize(repeating: Float(index + 1), count: Self.frameCount)
      return buffer
    }
  }

  deinit { for buffer in buffers { buffer.deallocate() } }

  private static func connect(_ graph: Graph, count: Int) throws {
    for index in 1..<count {
      try graph.connect(GraphBus(unit: index - 1, bus: 0), to: GraphBus(unit: index, bus: 0))
    }
  }

  /// The chain, and a unit connected to its last unit.
  private func edited() throws -> Graph {
    let graph = Graph(following: without)
    for node in without.nodes { try graph.keep(node) }
    try Self.connect(graph, count: unitCount)
    let new = try graph.add(PassUnit(), id: "new")
    try graph.connect(GraphBus(unit: new, bus: 0), to: GraphBus(unit: unitCount - 1, bus: 0))
    return graph
  }

  private func run(_ compiled: CompiledGraph, cycles: Int) {
    let schedule = compiled.schedule
    for _ in 0..<cycles {
      for index in compiled.ports.audioInputs.indices {
        schedule.setExternalInput(index, buffers[index % 4])
      }
      for index in compiled.ports.audioOutputs.indices {
        schedule.setExternalOutput(index, buffers[4 + index % 4])
      }
      let cycle = RenderCycle(frame: frame, frameCount: Self.frameCount)
      schedule.begin(cycle)
      schedule.render(cycle)
      schedule.end()
      frame += FrameTime(Self.frameCount)
    }
  }

  /// Microseconds to compile a unit in, against compiling the whole graph. Nanoseconds of a fading
  /// cycle, against one before the change.
  func measure() throws -> (compile: Comparison, cycle: Comparison) {
    var compile: [(ours: Double, baseline: Double)] = []
    var cycle: [(ours: Double, baseline: Double)] = []
    for _ in 0..<15 {
      run(steady, cycles: 64)
      let before = processorSeconds { run(steady, cycles: Self.fadeCycles) }
      let graph = try edited()
      var passages: [CompiledGraph] = []
      let following = try timed { passages = try graph.compile(following: steady) }
      let fading = processorSeconds { run(passages[0], cycles: Self.fadeCycles) }
      guard passages[0].schedule.isSettled else {
        throw BenchmarkError("a fade takes longer than \(Self.fadeCycles * Self.frameCount) frames")
      }
      let other = Graph()
      for index in 0..<unitCount { try other.add(PassUnit(), id: "unit\(index)") }
      try Self.connect(other, count: unitCount)
      let anew = try timed {
        _ = try other.compile(CompileOptions(sampleRate: 48000, maximumFrames: 64))
      }
      compile.append((following * 1e6, anew * 1e6))
      let cycles = Double(Self.fadeCycles)
      cycle.append((fading * 1e9 / cycles, before * 1e9 / cycles))
    }
    return (Comparison(medianOf: compile), Comparison(medianOf: cycle))
  }

  private func timed(_ work: () throws -> Void) throws -> Double {
    var result: Result<Void, any Error> = .success(())
    let seconds = processorSeconds { result = Result { try work() } }
    try result.get()
    return seconds
  }
}

// Rendering of branches by two threads against one.

import Auricle
import Effects
import Foundation
import Graph
import GraphRender

/// Cycles as a server makes them: the threads sleep in between.
final class CoresBenchmark {
  static let sampleRate = 48_000.0

  private let frameCount: Int
  private var schedules: [SecondCore: CompiledGraph] = [:]
  private var helpers: [SecondCore: RenderHelper] = [:]
  private let output: UnsafeMutablePointer<Float>
  private let ports: Int
  private var frame: FrameTime = 0

  /// - Parameter hertz: frequency of each branch's saw tone. A lower tone costs more.
  init(branchCount: Int, hertz: Float, frameCount: Int) throws {
    self.frameCount = frameCount
    ports = branchCount
    output = .allocate(capacity: frameCount * ports)
    output.initialize(repeating: 0, count: frameCount * ports)
    for use in [SecondCore.never, .whereFaster, .always] {
      let graph = Graph()
      for branch in 0..<branchCount {
        let tone = try ToneUnit()
        for (name, value) in [
          ("pitch", 1), ("frequency", hertz), ("waveform", 2), ("playing", 1),
        ] as [(String, Float)] {
          try tone.parameterTree.parameter(keyPath: name)!.setValue(value)
        }
        try tone.outputBusses[0].setFormat(
          AudioFormat(sampleRate: Self.sampleRate, channelCount: 1))
        try graph.add(tone, id: "tone\(branch)")
      }
      helpers[use] = RenderHelper(use)
      schedules[use] = try graph.compile(
        CompileOptions(
          sampleRate: Self.sampleRate, maximumFrames: frameCount, helper: helpers[use]))
    }
  }

  deinit { output.deallocate() }

  /// - Returns: microseconds.
  private func cycle(_ compiled: CompiledGraph) -> Double {
    for port in 0..<ports {
      compiled.schedule.setExternalOutput(port, output + port * frameCount)
    }
    let cycle = RenderCycle(frame: frame, frameCount: frameCount)
    let start = ContinuousClock.now
    compiled.schedule.begin(cycle)
    compiled.schedule.render(cycle)
    compiled.schedule.end()
    let took = start.duration(to: .now)
    return Double(took.components.attoseconds) / 1e12
  }

  struct Result {
    /// Microseconds of a cycle: the median of all cycles.
    var one: Double
    var both: Double
    var chosen: Double
    /// Branches per cycle rendered by the second thread.
    var helped: Double
    var isShared: Bool
  }

  func measure(cycles: Int = 400) -> Result {
    var times: [SecondCore: [Double]] = [:]
    let period = UInt32(Double(frameCount) / Self.sampleRate * 1e6)
    for _ in 0..<cycles {
      for use in [SecondCore.never, .always, .whereFaster] {
        usleep(period)
        times[use, default: []].append(cycle(schedules[use]!))
      }
      frame += FrameTime(frameCount)
    }
    func median(_ use: SecondCore) -> Double { times[use]!.sorted()[cycles / 2] }
    return Result(
      one: median(.never), both: median(.always), chosen: median(.whereFaster),
      helped: Double(helpers[.always]!.helpedCount) / Double(cycles),
      isShared: helpers[.whereFaster]!.helpedCount > cycles / 4)
  }
}

/// Measures from which cost on a second thread is faster.
func benchCores() throws {
  for (branches, hertz) in [
    (2, 880), (2, 110), (2, 55), (2, 27.5), (2, 14), (8, 220), (8, 55), (32, 220),
  ] as [(Int, Float)] {
    let result = try CoresBenchmark(
      branchCount: branches, hertz: hertz, frameCount: 64
    ).measure()
    let name = "cores, \(branches) branches of \(rounded(result.one / Double(branches))) us"
    print(
      column(name, 40), column("ratio \(rounded(result.both / result.one))", 12),
      "\(rounded(result.both)) us by two (\(rounded(result.helped)) branches by the second), \(rounded(result.one)) by one; chosen:",
      "\(rounded(result.chosen)) by \(result.isShared ? "two" : "one")")
    showAtOnce()
  }
}

// Branches rendered by two threads against one.

import Auricle
import Foundation
import Graph
import GraphRender
import SpaceUnit

/// Cycles as a server makes them: the threads sleep in between.
final class CoresBenchmark {
  static let sampleRate = 48_000.0

  private let frameCount: Int
  private var schedules: [SecondCore: CompiledGraph] = [:]
  private var helpers: [SecondCore: RenderHelper] = [:]
  private let output: UnsafeMutablePointer<Float>
  private let ports: Int
  private var frame: FrameTime = 0

  /// - Parameter unitsPerBranch: reverbs behind each other, some microseconds each.
  init(branchCount: Int, unitsPerBranch: Int, frameCount: Int) throws {
    self.frameCount = frameCount
    output = .allocate(capacity: frameCount * branchCount * 2)
    output.initialize(repeating: 0, count: frameCount * branchCount * 2)
    ports = branchCount * 2
    for use in [SecondCore.never, .whereFaster, .always] {
      let graph = Graph()
      for branch in 0..<branchCount {
        var last: Int?
        for unit in 0..<unitsPerBranch {
          let number = try graph.add(ReverbUnit(), id: "r\(branch)-\(unit)")
          if let last {
            try graph.connect(
              GraphBus(unit: last, bus: 0), to: GraphBus(unit: number, bus: 0))
          }
          last = number
        }
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
      compiled.schedule.setExternalInput(port, output + port * frameCount)
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
    /// Microseconds of a cycle, the median and the worst of a hundred.
    var one: Double
    var both: Double
    var chosen: Double
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
      isShared: helpers[.whereFaster]!.helpedCount > cycles / 4)
  }
}

/// Where a second thread begins to pay.
func benchCores() throws {
  for (branches, units) in [(2, 1), (2, 2), (2, 4), (2, 8), (2, 16), (4, 4), (8, 4)] {
    let result = try CoresBenchmark(
      branchCount: branches, unitsPerBranch: units, frameCount: 64
    ).measure()
    let name = "cores, \(branches) branches of \(rounded(result.one / Double(branches))) us"
    print(
      column(name, 40), column("ratio \(rounded(result.both / result.one))", 12),
      "\(rounded(result.both)) us by two, \(rounded(result.one)) by one; chosen:",
      "\(rounded(result.chosen)) by \(result.isShared ? "two" : "one")")
    showAtOnce()
  }
}

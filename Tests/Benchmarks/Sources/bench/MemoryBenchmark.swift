// The memory of the sampler with all its synths against that of one bare libfluidsynth.

import Auricle
import CBaseline
import Foundation
import Graph
import GraphRender
import SamplerUnit

/// Two processes, one for the sampler and one for the baseline. Both have the same SoundFont and
/// play a note for each of the sampler's synths.
struct MemoryBenchmark {
  /// The synth of a process started for a measurement.
  enum Player: String, CaseIterable {
    case sampler, baseline
  }

  private static let option = "--memory-of"
  private static let sampleRate = 48000.0
  private static let frameCount = 256
  private static let notes = 64

  let soundFont: URL

  /// Mebibytes resident after a second of playing.
  func measure() throws -> Comparison {
    let ours = try resident(.sampler)
    let baseline = try resident(.baseline)
    return Comparison(ours: ours, baseline: baseline, ratio: ours / baseline)
  }

  private func resident(_ player: Player) throws -> Double {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [Self.option, player.rawValue, soundFont.path]
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0,
      let kibibytes = Double(String(decoding: output, as: UTF8.self))
    else { throw BenchmarkError("the memory with \(soundFont.path) was not measured") }
    return kibibytes / 1024
  }

  /// Plays and prints the resident kibibytes, in a process started for a measurement.
  ///
  /// - Returns: false in any other process.
  static func runsAsChild(_ arguments: [String]) async throws -> Bool {
    guard arguments.count == 4, arguments[1] == option, let player = Player(rawValue: arguments[2])
    else { return false }
    let soundFont = URL(fileURLWithPath: arguments[3])
    switch player {
    case .sampler: try await playSampler(soundFont)
    case .baseline: try playBaseline(soundFont)
    }
    return true
  }

  private static func playSampler(_ soundFont: URL) async throws {
    let sampler = try SamplerUnit()
    try await sampler.load(soundFont: soundFont)
    let graph = Graph()
    try graph.add(sampler, id: "sampler")
    let compiled = try graph.compile(
      CompileOptions(sampleRate: sampleRate, maximumFrames: frameCount))
    let output = UnsafeMutablePointer<Float>.allocate(capacity: frameCount)
    for channel in 0..<2 { compiled.schedule.setExternalOutput(channel, output) }
    // Each note has its own frame in a block, and so its own synth.
    for index in 0..<Int(sampleRate) / frameCount {
      let cycle = RenderCycle(frame: FrameTime(index * frameCount), frameCount: frameCount)
      compiled.schedule.begin(cycle)
      if index >= 100 && index < 100 + notes {
        _ = compiled.schedule.unit(0).events.insert(
          .midi(0x90, key(index - 100), 100, at: cycle.frame + FrameTime((index - 100) % 64)))
      }
      compiled.schedule.render(cycle)
      compiled.schedule.end()
    }
    try printResident()
  }

  private static func playBaseline(_ soundFont: URL) throws {
    guard let synth = baselineSynth(soundFont.path, sampleRate) else {
      throw BenchmarkError("libfluidsynth does not load \(soundFont.path)")
    }
    let output = UnsafeMutablePointer<Float>.allocate(capacity: 2 * frameCount)
    for index in 0..<Int(sampleRate) / frameCount {
      if index >= 100 && index < 100 + notes {
        baselineSynthMessage(synth, 0x90, Int32(key(index - 100)), 100)
      }
      baselineSynthRender(synth, output, output + frameCount, Int32(frameCount))
    }
    try printResident()
  }

  private static func key(_ index: Int) -> UInt8 { UInt8(32 + index) }

  private static func printResident() throws {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    print(line?.split(whereSeparator: { $0 == " " || $0 == "\t" })[1] ?? "none", terminator: "")
  }
}

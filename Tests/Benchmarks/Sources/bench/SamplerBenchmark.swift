// The sampler against bare libfluidsynth that renders the same notes.

import Auricle
import CBaseline
import Foundation
import Graph
import GraphRender
import SamplerUnit

/// Chords on four channels, a new one in every cycle in turn, eight of them sounding.
final class SamplerBenchmark {
  static let frameCount = 256
  static let sampleRate = 48000.0

  private let compiled: CompiledGraph
  private let baseline: OpaquePointer
  private let outputs: [UnsafeMutablePointer<Float>]
  private var frame: FrameTime = 0
  private var step = 0
  private var baselineStep = 0

  init(soundFont: URL) async throws {
    let sampler = try SamplerUnit()
    try await sampler.load(soundFont: soundFont, bank: 0, program: 0)
    let graph = Graph()
    try graph.add(sampler, id: "sampler")
    compiled = try graph.compile(
      CompileOptions(sampleRate: Self.sampleRate, maximumFrames: Self.frameCount))
    outputs = (0..<4).map { _ in
      let buffer = UnsafeMutablePointer<Float>.allocate(capacity: Self.frameCount)
      buffer.initialize(repeating: 0, count: Self.frameCount)
      return buffer
    }
    for channel in 0..<2 { compiled.schedule.setExternalOutput(channel, outputs[channel]) }
    guard let baseline = baselineSynth(soundFont.path, Self.sampleRate) else {
      throw BenchmarkError("libfluidsynth does not load \(soundFont.path)")
    }
    self.baseline = baseline
  }

  deinit {
    baselineSynthDelete(baseline)
    for buffer in outputs { buffer.deallocate() }
  }

  /// Every 16 cycles a chord of four notes begins and the one before the last ends.
  private func notes(_ step: Int, _ send: (UInt8, UInt8, UInt8) -> Void) {
    guard step.isMultiple(of: 16) else { return }
    let chord = step / 16
    for voice in 0..<4 {
      let channel = UInt8(voice)
      if chord >= 2 { send(0x80 | channel, Self.key(chord - 2, voice), 0) }
      send(0x90 | channel, Self.key(chord, voice), 100)
    }
  }

  private static func key(_ chord: Int, _ voice: Int) -> UInt8 {
    UInt8(40 + (chord * 7 + voice * 5) % 48)
  }

  private func cycle() {
    let cycle = RenderCycle(frame: frame, frameCount: Self.frameCount)
    compiled.schedule.begin(cycle)
    let events = compiled.schedule.unit(0).events
    notes(step) { _ = events.insert(.midi($0, $1, $2, at: frame)) }
    compiled.schedule.render(cycle)
    compiled.schedule.end()
    frame += FrameTime(Self.frameCount)
    step += 1
  }

  private func baselineCycle() {
    notes(baselineStep) { status, key, velocity in
      baselineSynthNote(
        baseline, Int32(status & 15), Int32(key), status >= 0x90 ? Int32(velocity) : 0)
    }
    baselineSynthRender(baseline, outputs[2], outputs[3], Int32(Self.frameCount))
    baselineStep += 1
  }

  /// The greatest difference between both sounds over two seconds, relative to the greatest sample.
  func relativeDifference() -> Float {
    var worst: Float = 0
    var peak: Float = 0
    for _ in 0..<Int(2 * Self.sampleRate) / Self.frameCount {
      cycle()
      baselineCycle()
      for index in 0..<Self.frameCount {
        worst = max(worst, abs(outputs[0][index] - outputs[2][index]))
        peak = max(peak, abs(outputs[2][index]))
      }
    }
    return peak > 0 ? worst / peak : .infinity
  }

  /// Nanoseconds a frame.
  func measure() -> Comparison {
    .measure(
      units: Self.frameCount, repetitions: 61, calls: 64, ours: { cycle() },
      baseline: { baselineCycle() })
  }
}

struct BenchmarkError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

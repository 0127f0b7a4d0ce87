// The voices at which one core is full.

import Auricle
import CBaseline
import Foundation
import Graph
import GraphRender
import SamplerUnit

/// Notes of an organ that never end, begun on frames of all 64 places in a block.
final class VoiceBenchmark {
  static let frameCount = 256
  static let sampleRate = 48000.0
  private static let program: UInt8 = 19

  private let sampler: SamplerUnit
  private let compiled: CompiledGraph
  private let baseline: OpaquePointer
  private let outputs: [UnsafeMutablePointer<Float>]
  private var frame: FrameTime = 0

  init(soundFont: URL, noteCount: Int = 96) async throws {
    sampler = try SamplerUnit()
    try await sampler.load(soundFont: soundFont)
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
    begin(noteCount)
  }

  deinit {
    baselineSynthDelete(baseline)
    for buffer in outputs { buffer.deallocate() }
  }

  /// How many voices sound.
  var voiceCount: Int { Int(baselineSynthVoices(baseline)) }

  private func begin(_ noteCount: Int) {
    for index in 0..<noteCount {
      let channel = UInt8(index % 9)
      let key = UInt8(36 + index / 9 * 5)
      for message: (UInt8, UInt8, UInt8) in [
        (0xC0 | channel, Self.program, 0), (0x90 | channel, key, 60),
      ] {
        cycle(message, offset: index * 41 % Self.frameCount)
        baselineSynthMessage(
          baseline, Int32(message.0), Int32(message.1), Int32(message.2))
        baselineCycle()
      }
    }
  }

  private func cycle(_ message: (UInt8, UInt8, UInt8)? = nil, offset: Int = 0) {
    let cycle = RenderCycle(frame: frame, frameCount: Self.frameCount)
    compiled.schedule.begin(cycle)
    if let (status, first, second) = message {
      _ = compiled.schedule.unit(0).events.insert(
        .midi(status, first, second, at: frame + FrameTime(offset)))
    }
    compiled.schedule.render(cycle)
    compiled.schedule.end()
    frame += FrameTime(Self.frameCount)
  }

  private func baselineCycle() {
    baselineSynthRender(baseline, outputs[2], outputs[3], Int32(Self.frameCount))
  }

  /// Nanoseconds a voice and frame.
  func measure() -> Comparison {
    .measure(
      units: Self.frameCount * voiceCount, repetitions: 31, calls: 32, ours: { cycle() },
      baseline: { baselineCycle() })
  }

  /// How many voices of this cost fill one core.
  static func fullCore(_ nanoseconds: Double) -> Int { Int(1e9 / sampleRate / nanoseconds) }
}

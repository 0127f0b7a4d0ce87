// The number of voices that fill one core.

import Auricle
import Foundation

/// Notes of an organ that never end, begun on all 64 frames of a block.
final class VoiceBenchmark {
  private static let program: UInt8 = 19

  private let pair: SamplerPair

  init(soundFont: URL, period: Int, noteCount: Int = 96) async throws {
    pair = try await SamplerPair(soundFont: soundFont, frameCount: period)
    for index in 0..<noteCount {
      let channel = UInt8(index % 9)
      // Distinct keys: the loudness of equal keys would depend on their frames.
      let key = UInt8(24 + index)
      begin((0xC0 | channel, Self.program, 0), index)
      begin((0x90 | channel, key, 60), index)
    }
  }

  /// The number of sounding voices.
  var voiceCount: Int { pair.voiceCount }

  private func begin(_ message: (UInt8, UInt8, UInt8), _ index: Int) {
    let frame = pair.frame + FrameTime(index * 41 % pair.frameCount)
    pair.cycle { SamplerPair.insert(message, at: frame, into: $0) }
    pair.sendBaseline(message)
    pair.baselineCycle()
  }

  /// Whether both play equally loudly, and so the same notes.
  func agrees() -> Bool {
    var loudness = Loudness()
    for _ in 0..<Int(SamplerPair.sampleRate) / pair.frameCount {
      pair.cycle()
      pair.baselineCycle()
      pair.add(to: &loudness)
    }
    return loudness.agrees
  }

  /// Nanoseconds per voice and frame.
  func measure() -> Comparison {
    .measure(
      units: pair.frameCount * voiceCount, repetitions: 31, calls: 8192 / pair.frameCount,
      ours: { pair.cycle() }, baseline: { pair.baselineCycle() })
  }

  /// The number of voices of this cost that fill one core.
  static func fullCore(_ nanoseconds: Double) -> Int {
    Int(1e9 / SamplerPair.sampleRate / nanoseconds)
  }
}

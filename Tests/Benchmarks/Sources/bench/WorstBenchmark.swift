// Cost of a stream's worst cycle.

import Foundation
import WorstStreams

/// Plays streams on rigs that are kept from stream to stream.
final class WorstBenchmark {
  struct Result {
    /// The costliest cycle, in seconds, and its number.
    var worst: Double
    var cycle: Int
    /// The costliest cycle of the first repetition, in seconds.
    var first: Double
    /// The shortest of the last 16 cycles, without messages and with all voices sounding, in
    /// seconds.
    var voices: Double
  }

  static let periodSeconds = Double(WorstRig.period) / WorstRig.sampleRate

  private let soundFont: URL
  private var rigs: [WorstRig.Kind: WorstRig] = [:]

  init(soundFont: URL) { self.soundFont = soundFont }

  func rig(_ kind: WorstRig.Kind) async throws -> WorstRig {
    if let rig = rigs[kind] { return rig }
    let rig = try await WorstRig(kind, soundFont: soundFont)
    rigs[kind] = rig
    return rig
  }

  /// Measures each cycle by its shortest time over the repetitions, which excludes delays of the
  /// machine.
  func measure(_ stream: WorstStream, repetitions: Int) async throws -> Result {
    let rig = try await rig(stream.rig)
    let cycles = stream.cycles
    var times = [Double](repeating: .infinity, count: cycles.count)
    var first = 0.0
    for repetition in 0..<repetitions {
      for (index, messages) in cycles.enumerated() {
        times[index] = min(times[index], processorSeconds { rig.cycle(messages) })
      }
      rig.rest()
      if repetition == 0 { first = times.max()! }
    }
    let worst = times.max()!
    return Result(
      worst: worst, cycle: times.firstIndex(of: worst)!, first: first,
      voices: times.suffix(16).min()!)
  }

  static func describe(_ seconds: Double) -> String {
    let microseconds = Int((seconds * 1e6).rounded())
    return "\(microseconds) µs (\(Int((100 * seconds / periodSeconds).rounded())) %)"
  }
}

// What the worst cycle of a stream costs.

import Foundation
import WorstStreams

/// Plays streams on rigs that stay between them.
final class WorstBenchmark {
  struct Result {
    /// The costliest cycle, in seconds, and its number.
    var worst: Double
    var cycle: Int
    /// The same when the stream was played for the first time.
    var first: Double
    /// The last cycles, where nothing happens and all voices sound, in seconds.
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

  /// The least time of each cycle over some repetitions: the machine's own delays are no part of
  /// it.
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

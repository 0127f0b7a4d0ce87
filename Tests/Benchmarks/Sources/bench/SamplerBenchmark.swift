// The sampler against bare libfluidsynth with the same notes.

import Auricle
import Foundation

/// Chords of a note on each of four channels, one every `cyclesOfAChord` cycles; eight notes sound.
final class SamplerBenchmark {
  private let pair: SamplerPair
  private var step = 0
  private var baselineStep = 0

  init(soundFont: URL) async throws {
    pair = try await SamplerPair(soundFont: soundFont, frameCount: 256)
  }

  private static let cyclesOfAChord = 16

  /// Starts a chord of four notes, and ends the chord before the last.
  private func notes(_ step: Int, _ send: ((UInt8, UInt8, UInt8)) -> Void) {
    guard step.isMultiple(of: Self.cyclesOfAChord) else { return }
    let chord = step / Self.cyclesOfAChord
    for voice in 0..<4 {
      let channel = UInt8(voice)
      if chord >= 2 { send((0x80 | channel, Self.key(chord - 2, voice), 0)) }
      send((0x90 | channel, Self.key(chord, voice), 100))
    }
  }

  private static func key(_ chord: Int, _ voice: Int) -> UInt8 {
    UInt8(40 + (chord * 7 + voice * 5) % 48)
  }

  private func cycle() {
    let frame = pair.frame
    pair.cycle { events in
      notes(step) { SamplerPair.insert($0, at: frame, into: events) }
    }
    step += 1
  }

  private func baselineCycle() {
    notes(baselineStep) { pair.sendBaseline($0) }
    pair.baselineCycle()
    baselineStep += 1
  }

  /// The greatest difference between both outputs over two seconds, relative to the greatest
  /// sample.
  ///
  /// A FluidSynth voice moves from the gains of its last note to those of a new one within a block,
  /// and both synths use different voices. So the first 64 frames of a chord are left out.
  func relativeDifference() -> Float {
    var worst: Float = 0
    var peak: Float = 0
    for _ in 0..<Int(2 * SamplerPair.sampleRate) / pair.frameCount {
      let beginsNotes = step.isMultiple(of: Self.cyclesOfAChord)
      cycle()
      baselineCycle()
      let difference = pair.difference(from: beginsNotes ? 64 : 0)
      worst = max(worst, difference.worst)
      peak = max(peak, difference.peak)
    }
    return peak > 0 ? worst / peak : .infinity
  }

  /// Nanoseconds per frame.
  func measure() -> Comparison {
    .measure(
      units: pair.frameCount, repetitions: 61, calls: 64, ours: { cycle() },
      baseline: { baselineCycle() })
  }
}

// Whole pieces through the sampler, against one bare libfluidsynth.

import Auricle
import Foundation
import MediaFiles

/// A message of a piece, on its own frame.
struct PieceMessage {
  let frame: Int
  let bytes: (UInt8, UInt8, UInt8)
}

/// A piece with every message on its own frame. The pool spreads these over its synths, which is
/// its additional cost. The baseline receives messages at the start of the cycle, as in programs
/// that use libfluidsynth.
struct PieceBenchmark {
  let messages: [PieceMessage]
  let seconds: Double
  let soundFont: URL

  /// Seconds of both for the whole piece. They play parts of a quarter of a second in turns; each
  /// part counts by its shortest time over several runs.
  func measure(period: Int, runs: Int = 5) async throws -> Comparison {
    let partCount = Int(seconds * 4)
    var ours = [Double](repeating: .infinity, count: partCount)
    var baseline = ours
    for _ in 0..<runs {
      var run = Run(try await SamplerPair(soundFont: soundFont, frameCount: period), messages)
      for part in 0..<partCount {
        let end = (part + 1) * Int(SamplerPair.sampleRate) / 4
        ours[part] = min(ours[part], processorSeconds { run.play(until: end) })
        baseline[part] = min(baseline[part], processorSeconds { run.playBaseline(until: end) })
      }
      guard run.pair.lateNotes == 0 else {
        throw BenchmarkError("\(run.pair.lateNotes) notes found no synth of their own")
      }
    }
    let (sum, baselineSum) = (ours.reduce(0, +), baseline.reduce(0, +))
    return Comparison(ours: sum, baseline: baselineSum, ratio: sum / baselineSum)
  }

  /// Whether both play equally loudly, and so the same notes.
  func agrees(period: Int) async throws -> Bool {
    var run = Run(try await SamplerPair(soundFont: soundFont, frameCount: period), messages)
    var loudness = Loudness()
    for cycle in 0..<Int(seconds * SamplerPair.sampleRate) / period {
      run.play(until: (cycle + 1) * period)
      run.playBaseline(until: (cycle + 1) * period)
      run.pair.add(to: &loudness)
    }
    return loudness.agrees
  }

  /// A piece being played.
  struct Run {
    let pair: SamplerPair
    private let messages: [PieceMessage]
    /// The frame of the pair on which the piece begins.
    private let start: FrameTime
    private var (next, baselineNext) = (0, 0)
    private var baselineFrame = 0

    init(_ pair: SamplerPair, _ messages: [PieceMessage]) {
      self.pair = pair
      self.messages = messages
      start = pair.frame
    }

    /// Plays whole cycles.
    mutating func play(until end: Int) {
      while Int(pair.frame - start) < end {
        let cycleEnd = Int(pair.frame - start) + pair.frameCount
        pair.cycle { events in
          while next < messages.count, messages[next].frame < cycleEnd {
            let frame = start + FrameTime(messages[next].frame)
            SamplerPair.insert(messages[next].bytes, at: frame, into: events)
            next += 1
          }
        }
      }
    }

    mutating func playBaseline(until end: Int) {
      while baselineFrame < end {
        baselineFrame += pair.frameCount
        while baselineNext < messages.count, messages[baselineNext].frame < baselineFrame {
          pair.sendBaseline(messages[baselineNext].bytes)
          baselineNext += 1
        }
        pair.baselineCycle()
      }
    }
  }
}

extension PieceBenchmark {
  /// The channel messages of the first `seconds` of a MIDI file.
  static func messages(of file: URL, seconds: Double) throws -> [PieceMessage] {
    let file = try MIDIFile(contentsOf: file)
    return file.events.prefix { $0.seconds < seconds }.compactMap { event in
      let bytes = Array(file.bytes(of: event))
      guard bytes[0] < 0xF0 else { return nil }
      return PieceMessage(
        frame: Int(event.seconds * SamplerPair.sampleRate),
        bytes: (bytes[0], bytes[1], bytes.count > 2 ? bytes[2] : 0))
    }
  }

  /// Eight piano notes at once, rolled, four times a second, with the sustain pedal changed once a
  /// second.
  static func densePiano(seconds: Double) -> [PieceMessage] {
    pattern(seconds: seconds, every: 0.25) { index, frame in
      var chord: [PieceMessage] = []
      if index.isMultiple(of: 4) {
        chord.append(PieceMessage(frame: frame, bytes: (0xB0, 64, 0)))
        chord.append(PieceMessage(frame: frame + 480, bytes: (0xB0, 64, 127)))
      }
      for voice in 0..<8 {
        let key = UInt8(36 + (index * 5 + voice * 7) % 60)
        chord.append(PieceMessage(frame: frame + 500 + voice * 211, bytes: (0x90, key, 90)))
        chord.append(PieceMessage(frame: frame + 9000 + voice * 97, bytes: (0x80, key, 0)))
      }
      return chord
    }
  }

  /// Sixteen strokes a second on the percussion channel.
  static func drums(seconds: Double) -> [PieceMessage] {
    let keys: [UInt8] = [36, 42, 38, 46, 36, 44, 40, 51, 49, 45, 47, 50]
    return pattern(seconds: seconds, every: 0.0625) { index, frame in
      let key = keys[index % keys.count]
      return [
        PieceMessage(frame: frame + index * 37 % 500, bytes: (0x99, key, 100)),
        PieceMessage(frame: frame + 2400, bytes: (0x89, key, 0)),
      ]
    }
  }

  private static func pattern(
    seconds: Double, every step: Double, _ make: (Int, Int) -> [PieceMessage]
  ) -> [PieceMessage] {
    let messages = (0..<Int(seconds / step)).flatMap { index in
      make(index, Int(Double(index) * step * SamplerPair.sampleRate))
    }
    return messages.enumerated()
      .sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }.map(\.element)
  }
}

// Whole pieces through the sampler, against one bare libfluidsynth.

import Auricle
import CBaseline
import Foundation
import Graph
import GraphRender
import MediaFiles
import SamplerUnit

/// A message of a piece at its own frame.
struct PieceMessage {
  let frame: Int
  let bytes: (UInt8, UInt8, UInt8)
}

/// A piece with every message on its own frame: the pool spreads it over its synths, which is what it costs more.
/// The baseline takes messages at the start of the cycle, as programs that use libfluidsynth do.
final class PieceBenchmark {
  static let frameCount = 256
  static let sampleRate = 48000.0

  private let messages: [PieceMessage]
  private let cycleCount: Int
  private let soundFont: URL
  private let outputs: [UnsafeMutablePointer<Float>]

  init(_ messages: [PieceMessage], seconds: Double, soundFont: URL) {
    self.messages = messages
    self.soundFont = soundFont
    cycleCount = Int(seconds * Self.sampleRate) / Self.frameCount
    outputs = (0..<2).map { _ in
      let buffer = UnsafeMutablePointer<Float>.allocate(capacity: Self.frameCount)
      buffer.initialize(repeating: 0, count: Self.frameCount)
      return buffer
    }
  }

  deinit { for buffer in outputs { buffer.deallocate() } }

  /// Seconds of both for the whole piece, the lesser of several runs each, in turns.
  func measure(runs: Int = 3) async throws -> Comparison {
    var ours = Double.infinity
    var baseline = Double.infinity
    for _ in 0..<runs {
      ours = min(ours, try await render())
      baseline = min(baseline, try renderBaseline())
    }
    return Comparison(ours: ours, baseline: baseline, ratio: ours / baseline)
  }

  private func render() async throws -> Double {
    let sampler = try SamplerUnit()
    try await sampler.load(soundFont: soundFont)
    let graph = Graph()
    try graph.add(sampler, id: "sampler")
    let compiled = try graph.compile(
      CompileOptions(sampleRate: Self.sampleRate, maximumFrames: Self.frameCount))
    for channel in 0..<2 { compiled.schedule.setExternalOutput(channel, outputs[channel]) }
    var next = 0
    let start = ContinuousClock.now
    for index in 0..<cycleCount {
      let frame = index * Self.frameCount
      let cycle = RenderCycle(frame: FrameTime(frame), frameCount: Self.frameCount)
      compiled.schedule.begin(cycle)
      let events = compiled.schedule.unit(0).events
      while next < messages.count, messages[next].frame < frame + Self.frameCount {
        let (status, first, second) = messages[next].bytes
        _ = events.insert(.midi(status, first, second, at: FrameTime(messages[next].frame)))
        next += 1
      }
      compiled.schedule.render(cycle)
      compiled.schedule.end()
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    guard sampler.lateNotes == 0 else {
      throw BenchmarkError("\(sampler.lateNotes) notes found no synth of their own")
    }
    return seconds
  }

  private func renderBaseline() throws -> Double {
    guard let synth = baselineSynth(soundFont.path, Self.sampleRate) else {
      throw BenchmarkError("libfluidsynth does not load \(soundFont.path)")
    }
    defer { baselineSynthDelete(synth) }
    var next = 0
    let start = ContinuousClock.now
    for index in 0..<cycleCount {
      let end = (index + 1) * Self.frameCount
      while next < messages.count, messages[next].frame < end {
        let (status, first, second) = messages[next].bytes
        baselineSynthMessage(synth, Int32(status), Int32(first), Int32(second))
        next += 1
      }
      baselineSynthRender(synth, outputs[0], outputs[1], Int32(Self.frameCount))
    }
    return (ContinuousClock.now - start) / .seconds(1)
  }
}

extension PieceBenchmark {
  /// The channel messages of a MIDI file's beginning.
  static func messages(of file: URL, seconds: Double) throws -> [PieceMessage] {
    let file = try MIDIFile(contentsOf: file)
    return file.events.prefix { $0.seconds < seconds }.compactMap { event in
      let bytes = Array(file.bytes(of: event))
      guard bytes[0] < 0xF0 else { return nil }
      return PieceMessage(
        frame: Int(event.seconds * sampleRate),
        bytes: (bytes[0], bytes[1], bytes.count > 2 ? bytes[2] : 0))
    }
  }

  /// Eight piano notes at once, rolled, four times a second, with the sustain pedal changed once a second.
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
      make(index, Int(Double(index) * step * sampleRate))
    }
    return messages.enumerated()
      .sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }.map(\.element)
  }
}

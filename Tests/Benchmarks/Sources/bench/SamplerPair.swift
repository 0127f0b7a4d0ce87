// The sampler and one bare libfluidsynth, as the sampler's benchmarks drive them.

import Auricle
import CBaseline
import Foundation
import Graph
import GraphRender
import SamplerUnit

/// Both synths with the same SoundFont, and buffers for their output.
final class SamplerPair {
  static let sampleRate = 48000.0

  let frameCount: Int
  private let sampler: SamplerUnit
  private let compiled: CompiledGraph
  private let baseline: OpaquePointer
  private let outputs: [UnsafeMutablePointer<Float>]
  /// The first frame of the sampler's next cycle.
  private(set) var frame: FrameTime = 0

  init(soundFont: URL, frameCount: Int) async throws {
    self.frameCount = frameCount
    sampler = try SamplerUnit()
    try await sampler.load(soundFont: soundFont)
    let graph = Graph()
    try graph.add(sampler, id: "sampler")
    compiled = try graph.compile(
      CompileOptions(sampleRate: Self.sampleRate, maximumFrames: frameCount))
    outputs = (0..<4).map { _ in
      let buffer = UnsafeMutablePointer<Float>.allocate(capacity: frameCount)
      buffer.initialize(repeating: 0, count: frameCount)
      return buffer
    }
    for channel in 0..<2 { compiled.schedule.setExternalOutput(channel, outputs[channel]) }
    guard let baseline = baselineSynth(soundFont.path, Self.sampleRate) else {
      throw BenchmarkError("libfluidsynth does not load \(soundFont.path)")
    }
    self.baseline = baseline
    // A pool prepares one synth per call, before anything is played.
    for _ in 0..<100 {
      cycle()
      baselineCycle()
    }
  }

  deinit {
    baselineSynthDelete(baseline)
    for buffer in outputs { buffer.deallocate() }
  }

  /// Renders one cycle of the sampler, with the events that `insert` adds to its list.
  func cycle(_ insert: (RenderEventList) -> Void = { _ in }) {
    let cycle = RenderCycle(frame: frame, frameCount: frameCount)
    compiled.schedule.begin(cycle)
    insert(compiled.schedule.unit(0).events)
    compiled.schedule.render(cycle)
    compiled.schedule.end()
    frame += FrameTime(frameCount)
  }

  /// Inserts a message to the sampler on its own frame.
  static func insert(
    _ message: (UInt8, UInt8, UInt8), at frame: FrameTime, into events: RenderEventList
  ) {
    let length = UInt32(MIDIMessage.length(ofStatus: message.0))
    _ = events.insert(.midi(message.0, message.1, message.2, length: length, at: frame))
  }

  /// Sends a message to the bare synth, before its next cycle.
  func sendBaseline(_ message: (UInt8, UInt8, UInt8)) {
    baselineSynthMessage(baseline, Int32(message.0), Int32(message.1), Int32(message.2))
  }

  func baselineCycle() {
    baselineSynthRender(baseline, outputs[2], outputs[3], Int32(frameCount))
  }

  /// The number of sounding voices of the bare synth.
  var voiceCount: Int { Int(baselineSynthVoices(baseline)) }

  /// The number of the sampler's notes that waited for the end of a block.
  var lateNotes: Int { Int(sampler.lateNotes) }

  /// Adds the output of both in their last cycles.
  func add(to loudness: inout Loudness) {
    for (index, output) in outputs.enumerated() {
      for frame in 0..<frameCount { loudness[index / 2] += Double(output[frame] * output[frame]) }
    }
  }

  /// The greatest difference between both in their last cycles, and the bare synth's greatest
  /// sample, from frame `first` on.
  func difference(from first: Int) -> (worst: Float, peak: Float) {
    (first..<frameCount).reduce(into: (0, 0)) { result, frame in
      result.worst = max(result.worst, abs(outputs[0][frame] - outputs[2][frame]))
      result.peak = max(result.peak, abs(outputs[2][frame]))
    }
  }
}

/// The energies of the sampler's and the bare synth's output.
struct Loudness {
  private var energies = [0.0, 0.0]

  subscript(index: Int) -> Double {
    get { energies[index] }
    set { energies[index] = newValue }
  }

  /// Whether both are equally loud within 1 dB: their notes begin on different frames.
  var agrees: Bool { energies[1] > 0 && abs(10 * log10(energies[0] / energies[1])) < 1 }
}

struct BenchmarkError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

// Renders a session plan to a file, without a JACK server.

import Foundation
import Graph
import MediaFiles
import OfflineBackend
import Realtime

/// How to bounce.
public struct BounceOptions: Sendable {
  public var midi: URL
  public var output: URL
  /// Audio for every audio input that would have ports; nil is silence.
  public var input: URL?
  /// In hertz.
  public var sampleRate: Double
  /// In frames; the output does not depend on it.
  public var period: Int
  /// Seconds rendered after the end of the MIDI file or the input, whichever is later.
  public var tailSeconds: Double

  public static let sampleRates = 8000.0...384_000.0
  public static let periods = 1...8192
  public static let tails = 0.0...3600.0

  public init(
    midi: URL, output: URL, input: URL? = nil, sampleRate: Double = 48000, period: Int = 1024,
    tailSeconds: Double = 3
  ) {
    self.midi = midi
    self.output = output
    self.input = input
    self.sampleRate = sampleRate
    self.period = period
    self.tailSeconds = tailSeconds
  }
}

/// What a bounce made.
public struct BounceResult: Sendable {
  public let frames: Int
  public let channels: Int
  /// MIDI messages of the file that found no room.
  public let refusedMIDI: Int
}

/// Why a bounce failed; no output file was made.
public enum BounceError: Error, CustomStringConvertible {
  case midi(MIDIFileError)
  case audio(AudioFileError)
  case graph(GraphError)
  case inputRate(file: String, rate: Double, wanted: Double)
  case inputChannels(file: String, channels: Int, wanted: Int)
  case noOutputs
  case cancelled

  public var description: String {
    switch self {
    case .midi(let error): error.description
    case .audio(let error): error.description
    case .graph(let error): error.description
    case .inputRate(let file, let rate, let wanted):
      "\(file) has \(rate) Hz, but the bounce \(wanted) Hz; give --sample-rate \(Int(rate)), or resample it"
    case .inputChannels(let file, let channels, let wanted):
      "\(file) has \(channels) channels, but there are inputs with \(wanted); give mono or \(wanted)"
    case .noOutputs:
      "no unit has an output that would be a JACK port; connect one to the outside, for example to 'system:playback_*'"
    case .cancelled:
      "cancelled; nothing was written"
    }
  }
}

/// Bounces a plan: the MIDI file plays every unit that would have a MIDI port, the outputs that would be
/// ports are written in the order of the configuration.
public struct Bounce {
  let plan: SessionPlan
  let options: BounceOptions

  public init(_ plan: SessionPlan, _ options: BounceOptions) {
    self.plan = plan
    self.options = options
  }

  /// Renders the whole file.
  /// - Parameters:
  ///   - progress: told the part that is done, 0 to 1, after each second of audio.
  ///   - isCancelled: asked after each period.
  /// - Thread: [control]
  public func run(
    progress: (Double) -> Void = { _ in }, isCancelled: () -> Bool = { false }
  ) throws(BounceError) -> BounceResult {
    let file = try wrap(BounceError.midi) { () throws(MIDIFileError) in
      try MIDIFile(contentsOf: options.midi)
    }
    let graph = try wrap(BounceError.graph) { () throws(GraphError) in
      try plan.graph.compile(
        CompileOptions(
          sampleRate: options.sampleRate, maximumFrames: min(options.period, 1024),
          // All messages of the file may fall into one period.
          midiEventsPerPort: max(4096, file.events.count),
          midiBytesPerPort: max(65536, file.messages.count), isOffline: true))
    }
    let channels = graph.ports.audioOutputs.count
    guard channels > 0 else { throw .noOutputs }
    let input = try BounceInput(options, ports: graph.ports)
    let writer = try wrap(BounceError.audio) { () throws(AudioFileError) in
      try AudioFileWriter(
        url: options.output, sampleRate: options.sampleRate, channelCount: channels)
    }
    let end = max(Int((file.durationSeconds * options.sampleRate).rounded(.up)), input.frameCount)
    let total = end + Int((options.tailSeconds * options.sampleRate).rounded())
    let renderer = OfflineRenderer(graph, periodCapacity: options.period)
    var cursor = MIDICursor(file, sampleRate: options.sampleRate)
    while renderer.frame < total {
      let start = Int(renderer.frame)
      let count = min(options.period, total - start)
      let messages = cursor.messages(before: FrameTime(start + count))
      let samples = renderer.render(
        frameCount: count, input: try input.next(count),
        midi: Array(repeating: messages, count: graph.ports.midiInputs.count),
        context: cursor.musicalContext(at: renderer.frame))
      try wrap(BounceError.audio) { () throws(AudioFileError) in try writer.write(samples) }
      if isCancelled() {
        writer.cancel()
        throw .cancelled
      }
      let second = Int(options.sampleRate)
      if start / second != (start + count) / second {
        progress(Double(start + count) / Double(total))
      }
    }
    try wrap(BounceError.audio) { () throws(AudioFileError) in try writer.finish() }
    return BounceResult(frames: total, channels: channels, refusedMIDI: renderer.refusedMIDI)
  }
}

// The report of a probe, as text and as JSON.

import JackBackend
import Platform

/// The latency of an instrument's notes, and its spread.
public struct ProbeReport: Sendable, Encodable {
  /// One note.
  public struct Note: Sendable, Encodable {
    /// The frame of its note-on since the probe's start; nil if it was not sent.
    public let sentFrame: Int?
    public let latencyFrames: Int?
    /// The outcome: `heard`, `missing`, `masked` or `lost`.
    public let outcome: String
  }

  /// Latencies in frames.
  public struct Latency: Sendable, Encodable {
    public let minimum: Int
    public let median: Int
    public let maximum: Int
  }

  public let midi: String
  public let audio: String
  /// The sample rate, in hertz.
  public let sampleRate: Int
  public let periodFrames: Int
  /// The threshold; nil if automatic.
  public let thresholdDecibels: Double?
  public let heard: Int
  public let missing: Int
  public let masked: Int
  public let lost: Int
  /// Latencies of the notes heard; nil if there are none.
  public let latencyFrames: Latency?
  /// The largest latency minus the smallest one; nil if no note was heard.
  public let spreadFrames: Int?
  public let notes: [Note]

  /// - Thread: [any]
  init(_ recording: ProbeRecording, _ options: ProbeOptions) {
    let outcomes = OnsetAnalysis.outcomes(of: recording, options)
    let latencies = outcomes.compactMap(\.latencyFrames).sorted()
    midi = options.midi
    audio = options.audio
    sampleRate = recording.sampleRate
    periodFrames = recording.period
    thresholdDecibels = options.threshold
    heard = latencies.count
    missing = outcomes.count { $0 == .missing }
    masked = outcomes.count { $0 == .masked }
    lost = outcomes.count { $0 == .lost }
    latencyFrames =
      latencies.isEmpty
      ? nil
      : Latency(
        minimum: latencies[0], median: latencies[latencies.count / 2],
        maximum: latencies[latencies.count - 1])
    spreadFrames = latencyFrames.map { $0.maximum - $0.minimum }
    notes = outcomes.enumerated().map { note, outcome in
      Note(
        sentFrame: recording.sentFrames[ProbeOptions.noteOn(note)],
        latencyFrames: outcome.latencyFrames, outcome: outcome.name)
    }
  }

  /// The report as text, in several lines.
  public var text: String {
    var lines = [
      "\(midi) to \(audio): \(notes.count) notes at \(sampleRate) Hz, \(periodFrames) frames"
    ]
    if let latencyFrames, let spreadFrames {
      lines += [
        "onset latency  \(latencyFrames.minimum) to \(latencyFrames.maximum) frames, "
          + "median \(latencyFrames.median) (\(milliseconds(latencyFrames.median)))",
        "onset spread   \(spreadFrames) frames (\(milliseconds(spreadFrames)))",
      ]
    }
    lines.append("missing notes  \(missing)")
    if masked > 0 {
      lines.append(
        "masked notes   \(masked): it still sounded when they were sent; try a longer --interval or a "
          + "higher --threshold")
    }
    if lost > 0 {
      lines.append("lost notes     \(lost): the server skipped cycles, or the probe was ended")
    }
    return lines.joined(separator: "\n")
  }

  private func milliseconds(_ frames: Int) -> String {
    "\((Double(frames) * 1000 / Double(sampleRate)).text(decimals: 2)) ms"
  }
}

extension NoteOutcome {
  var latencyFrames: Int? {
    if case .heard(let frames) = self { return frames }
    return nil
  }

  fileprivate var name: String {
    switch self {
    case .heard: "heard"
    case .missing: "missing"
    case .masked: "masked"
    case .lost: "lost"
    }
  }
}

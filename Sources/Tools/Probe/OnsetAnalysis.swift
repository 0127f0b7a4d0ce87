// Note onsets in a probe's recording.

import Glibc
import JackBackend

/// The outcome of one note.
public enum NoteOutcome: Sendable, Equatable {
  /// Heard after a latency from its frame. It is negative for an instrument that plays all events
  /// of a cycle at once, ignoring their frames.
  case heard(latencyFrames: Int)
  /// Not heard before its time was over.
  case missing
  /// Masked: the sound before it had not ended a period and 10 ms before its frame.
  case masked
  /// Lost: the server skipped cycles, or the probe ended, before it could be heard.
  case lost
}

/// The analysis of note onsets in a recording.
enum OnsetAnalysis {
  /// Silence that is required before a note, in seconds.
  static let silenceSeconds = 0.01
  /// The loudest background before a note with an automatic threshold, in dB of full scale.
  static let automaticThreshold = -80.0

  /// Returns the outcome of every note, in order.
  static func outcomes(of recording: ProbeRecording, _ options: ProbeOptions) -> [NoteOutcome] {
    let starts = (0..<options.noteCount).map { recording.sentFrames[ProbeOptions.noteOn($0)] }
    let spacing = options.spacing(sampleRate: recording.sampleRate, period: recording.period)
    let loudest = Float(pow(10, (options.threshold ?? automaticThreshold) / 20))
    let silence = Int(silenceSeconds * Double(recording.sampleRate))
    return starts.indices.map { note in
      guard let start = starts[note] else { return .lost }
      let next = note + 1 < starts.count ? starts[note + 1] ?? start + spacing : start + spacing
      return outcome(
        recording.samples, of: start, from: max(0, start - recording.period),
        to: next - recording.period, silence: silence,
        loudest: loudest, isAutomatic: options.threshold == nil)
    }
  }

  private static func outcome(
    _ samples: [Float], of start: Int, from earliest: Int, to end: Int, silence: Int,
    loudest: Float, isAutomatic: Bool
  ) -> NoteOutcome {
    guard earliest < samples.count else { return .lost }
    let before = samples[max(0, earliest - silence)..<earliest]
    if before.contains(where: { $0.isNaN }) { return .lost }
    let background = before.reduce(0) { max($0, abs($1)) }
    if background > loudest { return .masked }
    let level = isAutomatic ? 4 * background : loudest
    for frame in earliest..<min(end, samples.count) {
      if samples[frame].isNaN { return .lost }
      if abs(samples[frame]) > level { return .heard(latencyFrames: frame - start) }
    }
    return end <= samples.count ? .missing : .lost
  }
}

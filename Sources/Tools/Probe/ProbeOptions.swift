// Options of a probe, and its plan of notes.

import JackBackend
import Platform

/// Options of a probe.
public struct ProbeOptions: Sendable {
  public static let noteCounts = 1...1000
  public static let intervals = 0.1...10.0
  public static let thresholds = -140.0...(-6.0)

  /// Full names of the instrument's MIDI input and one of its audio outputs.
  public var midi: String
  public var audio: String
  public var noteCount = 64
  public var key = 60
  public var velocity = 127
  /// The MIDI channel, 1 to 16.
  public var channel = 1
  /// Seconds from note to note.
  public var interval = 0.4
  /// The level above which a note is heard, in dB of full scale. Nil for automatic: four times the
  /// peak of the background before the note, which must be below −80 dB. After digital silence that
  /// is its first sample other than 0.
  public var threshold: Double?
  /// Determines the notes' positions within the period.
  public var seed: UInt64 = 1

  /// - Thread: [any]
  public init(midi: String, audio: String) {
    self.midi = midi
    self.audio = audio
  }

  /// Returns the frames from note to note: the interval, and at least eight periods, so that an
  /// instrument has time to fall silent.
  func spacing(sampleRate: Int, period: Int) -> Int {
    max(Int(interval * Double(sampleRate)), 8 * period)
  }

  /// Plans notes an interval apart. Each is delayed by a random part of a period, so that the
  /// onsets cover the period. It ends after 40 % of the interval, and all sound is ended after 60
  /// %.
  /// - Returns: three messages a note, note-on first, and the frames until the last note's interval
  ///   is over.
  /// - Thread: [any]
  func plan(sampleRate: Int, period: Int) -> (messages: [ProbeMessage], frames: Int) {
    let spacing = spacing(sampleRate: sampleRate, period: period)
    let low = UInt8(channel - 1)
    var random = SplitMix(seed: seed)
    var messages: [ProbeMessage] = []
    for index in 0..<noteCount {
      let start =
        index * spacing + period
        + Int.random(in: 0..<max(1, min(period, spacing / 4)), using: &random)
      messages += [
        ProbeMessage(frame: start, 0x90 | low, UInt8(key), UInt8(velocity)),
        ProbeMessage(frame: start + spacing * 2 / 5, 0x80 | low, UInt8(key), 64),
        ProbeMessage(frame: start + spacing * 3 / 5, 0xB0 | low, 120, 0),
      ]
    }
    return (messages, (noteCount + 1) * spacing)
  }

  /// Returns the index of a note's note-on in the plan.
  static func noteOn(_ note: Int) -> Int { note * 3 }
}

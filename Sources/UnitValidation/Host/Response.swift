// Output of a unit.

import Platform

/// Samples by bus and channel, and MIDI.
struct Response {
  var audio: [[[Float]]] = []
  var midi: [TrialMIDI] = []

  var isSilent: Bool {
    midi.isEmpty && audio.allSatisfy { $0.allSatisfy { $0.allSatisfy { $0 == 0 } } }
  }

  var frames: Int { audio.first?.first?.count ?? 0 }

  func peak(_ range: Range<Int>? = nil) -> Float {
    audio.reduce(0) { $1.reduce($0) { max($0, Sample.peak($1[range ?? 0..<$1.count])) } }
  }

  /// The first frame of a sample whose bits are not all 0.
  var firstSound: Int? {
    audio.flatMap { $0.compactMap { $0.firstIndex { $0.bitPattern != 0 } } }.min()
  }

  /// The first frame at which two responses differ.
  struct Difference {
    let frame: Int
    let found: String
    let expected: String
  }

  /// Returns the first difference from another response, in a bit or a message.
  func difference(from other: Response) -> Difference? {
    var first: Difference?
    for bus in audio.indices {
      for channel in audio[bus].indices {
        let (mine, theirs) = (audio[bus][channel], other.audio[bus][channel])
        guard let frame = Sample.firstDifference(mine, theirs) else { continue }
        if let first, first.frame <= frame { continue }
        first = Difference(
          frame: frame,
          found: "\(Self.text(mine, frame)) on output \(bus + 1), channel \(channel + 1)",
          expected: Self.text(theirs, frame))
      }
    }
    for index in 0..<max(midi.count, other.midi.count) {
      let mine = index < midi.count ? midi[index] : nil
      let theirs = index < other.midi.count ? other.midi[index] : nil
      guard mine != theirs else { continue }
      let frame = min(mine?.frame ?? .max, theirs?.frame ?? .max)
      if let first, first.frame <= frame { break }
      return Difference(frame: frame, found: Self.text(mine), expected: Self.text(theirs))
    }
    return first
  }

  private static func text(_ samples: [Float], _ frame: Int) -> String {
    frame < samples.count ? "\(samples[frame])" : "no sample"
  }

  private static func hex(_ byte: UInt8) -> String {
    String(byte, radix: 16, uppercase: true).aligned(right: 2, filler: "0")
  }

  private static func text(_ message: TrialMIDI?) -> String {
    guard let message else { return "no MIDI message" }
    let bytes = message.bytes.prefix(8).map { hex($0) }.joined(separator: " ")
    return "MIDI \(bytes) at frame \(message.frame)"
  }
}

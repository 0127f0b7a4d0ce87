// The chords with a name.

/// A kind of chord: its intervals and its name.
///
/// A chord is found if all its notes sound and no others; some notes may be missing, or added. The
/// order of `all` is the order of preference if several chords have the same notes and none has its
/// root as the bass.
public struct ChordQuality: Sendable, Equatable {
  /// The name in parameters and configurations.
  public let name: String
  /// The symbol after the root: `m7b5`; empty for a major chord.
  public let symbol: String
  /// Intervals in semitones above the root, rising; the root itself is first. At most 7.
  public let intervals: [Int]
  /// The intervals, below an octave, of notes that players leave out.
  let missing: [Int]
  /// The intervals, below an octave, of notes that may be added.
  let added: [Int]

  init(
    _ name: String, _ intervals: [Int], symbol: String? = nil, missing: [Int] = [],
    added: [Int] = []
  ) {
    self.name = name
    self.symbol = symbol ?? name
    self.intervals = intervals
    self.missing = missing
    self.added = added
  }

  /// All qualities. An index is a parameter value, less one, and never changes.
  ///
  /// - Thread: [any]
  public static let all: [ChordQuality] = [
    ChordQuality("Major", [0, 4, 7], symbol: ""),
    ChordQuality("Minor", [0, 3, 7], symbol: "m"),
    ChordQuality("dim", [0, 3, 6]),
    ChordQuality("aug", [0, 4, 8]),
    ChordQuality("sus4", [0, 5, 7]),
    ChordQuality("sus2", [0, 2, 7]),
    ChordQuality("5", [0, 7]),
    ChordQuality("7", [0, 4, 7, 10], missing: [7]),
    ChordQuality("maj7", [0, 4, 7, 11], missing: [7]),
    ChordQuality("m7", [0, 3, 7, 10], missing: [7]),
    ChordQuality("m(maj7)", [0, 3, 7, 11], missing: [7]),
    ChordQuality("m7b5", [0, 3, 6, 10]),
    ChordQuality("dim7", [0, 3, 6, 9]),
    ChordQuality("7sus4", [0, 5, 7, 10]),
    ChordQuality("7#5", [0, 4, 8, 10]),
    ChordQuality("7b5", [0, 4, 6, 10]),
    ChordQuality("maj7#5", [0, 4, 8, 11]),
    ChordQuality("6", [0, 4, 7, 9]),
    ChordQuality("m6", [0, 3, 7, 9]),
    ChordQuality("add9", [0, 4, 7, 14]),
    ChordQuality("m(add9)", [0, 3, 7, 14]),
    ChordQuality("9", [0, 4, 7, 10, 14], missing: [7]),
    ChordQuality("maj9", [0, 4, 7, 11, 14], missing: [7]),
    ChordQuality("m9", [0, 3, 7, 10, 14], missing: [7]),
    ChordQuality("m(maj9)", [0, 3, 7, 11, 14], missing: [7]),
    ChordQuality("9sus4", [0, 5, 7, 10, 14]),
    ChordQuality("6/9", [0, 4, 7, 9, 14]),
    ChordQuality("m6/9", [0, 3, 7, 9, 14]),
    ChordQuality("7b9", [0, 4, 7, 10, 13], missing: [7]),
    ChordQuality("7#9", [0, 4, 7, 10, 15], missing: [7]),
    ChordQuality("7#11", [0, 4, 7, 10, 18]),
    ChordQuality("maj7#11", [0, 4, 7, 11, 18], missing: [7]),
    ChordQuality("7b13", [0, 4, 7, 10, 20]),
    ChordQuality("11", [0, 4, 7, 10, 14, 17], missing: [2, 7]),
    ChordQuality("m11", [0, 3, 7, 10, 14, 17], missing: [2, 7]),
    ChordQuality("13", [0, 4, 7, 10, 14, 21], missing: [2, 7], added: [5]),
    ChordQuality("maj13", [0, 4, 7, 11, 14, 21], missing: [2, 7]),
    ChordQuality("m13", [0, 3, 7, 10, 14, 21], missing: [2, 7], added: [5]),
  ]

  /// The notes in any octave: bit n is n semitones above the root.
  var notes: UInt16 { Self.notes(intervals) }

  static func notes(_ intervals: [Int]) -> UInt16 {
    intervals.reduce(0) { $0 | 1 << UInt16($1 % 12) }
  }
}

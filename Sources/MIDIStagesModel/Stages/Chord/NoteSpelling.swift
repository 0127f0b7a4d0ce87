// Sharps or flats in the names of chords.

import MIDIStages
import UnitModel

/// The spelling of black keys. Raw values are parameter values and never change.
public enum NoteSpelling: Int, Sendable, Hashable, CaseIterable {
  /// Spelling by the chord's own key: flats in F, Bb, Eb, Ab and Db major, in C, D, Eb, F, G and Bb
  /// minor.
  case automatic
  case sharps
  case flats

  /// Names of the major and minor keys: the name with fewer accidentals, or the more common one.
  private static let majorNames = [
    "C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B",
  ]
  private static let minorNames = [
    "C", "C#", "D", "Eb", "E", "F", "F#", "G", "G#", "A", "Bb", "B",
  ]
  private static let letters: [Character] = ["C", "D", "E", "F", "G", "A", "B"]
  private static let pitches = [0, 2, 4, 5, 7, 9, 11]

  /// - Parameter root: 0 to 11, C to B.
  func name(ofRoot root: Int, _ quality: ChordQuality) -> String {
    switch self {
    case .automatic: Self.isMinor(quality) ? Self.minorNames[root] : Self.majorNames[root]
    case .sharps: NoteName.sharps[root]
    case .flats: NoteName.flats[root]
    }
  }

  /// The name of a bass, with the letter of its interval above the root. The plainest name if that
  /// needs more than one accidental, or an accidental on a white key.
  ///
  /// - Parameters:
  ///   - bass, root: 0 to 11, C to B.
  ///   - name: that of the root.
  func name(
    ofBass bass: Int, above root: Int, called name: String, _ quality: ChordQuality
  ) -> String {
    switch self {
    case .sharps: return NoteName.sharps[bass]
    case .flats: return NoteName.flats[bass]
    case .automatic: break
    }
    let interval = (bass - root + 12) % 12
    let index = Self.letters.firstIndex(of: name.first ?? "C") ?? 0
    let letter = (index + Self.degree(of: interval, in: quality)) % 7
    switch (bass - Self.pitches[letter] + 12) % 12 {
    case 1 where NoteName.flats[bass].count > 1: return "\(Self.letters[letter])#"
    case 11 where NoteName.flats[bass].count > 1: return "\(Self.letters[letter])b"
    default: return name.hasSuffix("b") ? NoteName.flats[bass] : NoteName.sharps[bass]
    }
  }

  private static func isMinor(_ quality: ChordQuality) -> Bool {
    quality.intervals.contains(3) && !quality.intervals.contains(4)
  }

  /// The number of letters that an interval is above the root.
  private static func degree(of interval: Int, in quality: ChordQuality) -> Int {
    switch interval {
    case 1, 2: 1
    case 3, 4: 2
    case 6 where quality.intervals.contains(6): 4
    case 5, 6: 3
    case 7: 4
    case 8 where quality.intervals.contains(8): 4
    case 8, 9: 5
    case 10, 11: 6
    default: 0
    }
  }
}

// Chord names as players use them, in every key and inversion.

import MIDIStages
import MIDIStagesModel
import Testing

@Suite struct ChordMatchTests {
  static let notes = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]

  /// The name of the chord of some keys; nil if there is none.
  func name(_ keys: [Int]) -> String? {
    guard let bass = keys.min() else { return nil }
    var notes: UInt16 = 0
    for key in keys { notes |= 1 << UInt16((key - bass) % 12) }
    guard let match = ChordMatch(notes: notes) else { return nil }
    return ChordName(
      root: (bass + match.root) % 12, quality: match.quality, bass: bass % 12, spelling: .sharps
    )?.description
  }

  /// Chords on C, from the bass up, and their names.
  static let chords: [([Int], String)] = [
    ([0, 4, 7], ""), ([0, 3, 7], "m"), ([0, 3, 6], "dim"), ([0, 4, 8], "aug"),
    ([0, 2, 7], "sus2"), ([0, 5, 7], "sus4"), ([0, 7], "5"), ([0, 4, 7, 9], "6"),
    ([0, 3, 7, 9], "m6"), ([0, 4, 7, 10], "7"), ([0, 4, 7, 11], "maj7"), ([0, 3, 7, 10], "m7"),
    ([0, 3, 7, 11], "m(maj7)"), ([0, 3, 6, 9], "dim7"), ([0, 3, 6, 10], "m7b5"),
    ([0, 5, 7, 10], "7sus4"), ([0, 4, 8, 10], "7#5"), ([0, 4, 6, 10], "7b5"),
    ([0, 4, 8, 11], "maj7#5"), ([0, 4, 7, 14], "add9"), ([0, 3, 7, 14], "m(add9)"),
    ([0, 4, 7, 9, 14], "6/9"), ([0, 3, 7, 9, 14], "m6/9"), ([0, 4, 7, 10, 14], "9"),
    ([0, 4, 7, 11, 14], "maj9"), ([0, 3, 7, 10, 14], "m9"), ([0, 3, 7, 11, 14], "m(maj9)"),
    ([0, 4, 7, 10, 13], "7b9"), ([0, 4, 7, 10, 15], "7#9"), ([0, 4, 7, 10, 18], "7#11"),
    ([0, 4, 7, 11, 18], "maj7#11"), ([0, 4, 7, 10, 20], "7b13"), ([0, 5, 7, 10, 14], "9sus4"),
    ([0, 4, 7, 10, 14, 17], "11"), ([0, 3, 7, 10, 14, 17], "m11"),
    ([0, 4, 7, 10, 14, 21], "13"), ([0, 4, 7, 11, 14, 21], "maj13"),
    ([0, 3, 7, 10, 14, 21], "m13"), ([0, 4, 7, 10, 14, 17, 21], "13"),
    // Without the notes that players leave out.
    ([0, 4, 10], "7"), ([0, 4, 11], "maj7"), ([0, 3, 10], "m7"), ([0, 4, 10, 14], "9"),
    ([0, 4, 10, 15], "7#9"), ([0, 4, 10, 21], "13"), ([0, 4, 10, 14, 21], "13"),
    ([0, 3, 7, 10, 17], "m11"),
  ]

  @Test func everyQualityIsNamedInEveryKeyAndSpacing() {
    #expect(Set(Self.chords.map(\.1)) == Set(ChordQuality.all.map(\.symbol)))
    for (intervals, symbol) in Self.chords {
      for root in 0..<12 {
        let keys = intervals.map { 36 + root + $0 }
        #expect(name(keys) == Self.notes[root] + symbol)
        // Doubled, and wider.
        let wide = keys.enumerated().map { $0 == 0 ? $1 : $1 + 12 * ($0 % 3) }
        #expect(name(wide + keys.map { $0 + 24 }) == Self.notes[root] + symbol)
      }
    }
  }

  /// Inversions of chords on C, from the bass up, with their names and positions.
  static let inverted: [([Int], String, position: Int)] = [
    ([4, 7, 12], "C/E", 1), ([7, 12, 16], "C/G", 2), ([3, 7, 12], "Cm/D#", 1),
    ([7, 12, 15], "Cm/G", 2), ([3, 6, 12], "Cdim/D#", 1), ([4, 7, 10, 12], "C7/E", 1),
    ([7, 10, 12, 16], "C7/G", 2), ([10, 12, 16, 19], "C7/A#", 3),
    ([4, 7, 11, 12], "Cmaj7/E", 1), ([11, 12, 16, 19], "Cmaj7/B", 3),
    ([3, 7, 11, 12], "Cm(maj7)/D#", 1), ([4, 8, 10, 12], "C7#5/E", 1),
    ([7, 12, 14, 16], "Cadd9/G", 2), ([4, 10, 12, 14], "C9/E", 1),
  ]

  @Test func inversionsAreNamedByTheirBassInEveryKey() throws {
    for (keys, expected, position) in Self.inverted {
      for step in 0..<12 {
        let moved = name(keys.map { 36 + $0 + step })
        let parts = expected.split(separator: "/")
        let bass = Self.notes[(Self.notes.firstIndex(of: String(parts[1]))! + step) % 12]
        #expect(moved == Self.notes[step] + parts[0].dropFirst() + "/" + bass)
      }
      var notes: UInt16 = 0
      for key in keys { notes |= 1 << UInt16((key - keys[0]) % 12) }
      #expect(try #require(ChordMatch(notes: notes)).position == position)
    }
  }

  @Test func ofSeveralChordsTheStatedOneIsPreferred() {
    // The same four notes: the bass decides first, then sevenths precede sixths.
    #expect(name([48, 52, 55, 57]) == "C6")
    #expect(name([45, 48, 52, 55]) == "Am7")
    #expect(name([52, 55, 57, 60]) == "Am7/E")
    #expect(name([47, 50, 53, 57]) == "Bm7b5")
    #expect(name([50, 53, 57, 59]) == "Dm6")
    #expect(name([53, 57, 59, 62]) == "Bm7b5/F")
    // The root of a symmetrical chord is its bass.
    for key in [48, 51, 54, 57] {
      #expect(name([key, key + 3, key + 6, key + 9])!.hasSuffix("dim7"))
    }
    #expect(name([52, 56, 60]) == "Eaug")
    #expect(name([48, 50, 55]) == "Csus2")
    #expect(name([55, 60, 62]) == "Gsus4")
    #expect(name([50, 55, 60]) == "Gsus4/D")
    // One note above the root may be missing; a whole chord precedes one with two missing.
    #expect(name([48, 52, 57]) == "Am/C")
    #expect(name([48, 51, 55, 58, 65]) == "Cm11")
    #expect(name([51, 55, 58, 60, 65]) == "D#6/9")
    #expect(name([48, 51, 58, 65]) == "F7sus4/C")
    #expect(name([48, 52, 57, 59]) == "Am(add9)/C")
  }

  @Test func aForeignBassIsASlashBass() throws {
    #expect(name([42, 60, 64, 67]) == "C/F#")
    #expect(name([41, 60, 64, 67, 71]) == "Cmaj7/F")
    #expect(name([43, 61, 65, 68]) == "C#/G")
    #expect(name([50, 60, 64, 67]) == "Cadd9/D")
  }

  @Test func notesThatAreNoChordHaveNoName() {
    for keys in [[], [60], [60, 61], [60, 61, 62], [60, 66], Array(60..<72)] {
      #expect(name(keys) == nil, "\(keys)")
    }
    #expect(ChordMatch(notes: 0) == nil && ChordMatch(notes: 0xF000) == nil)
  }
}

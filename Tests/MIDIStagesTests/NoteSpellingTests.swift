// Chord names as musicians write them: flats in flat keys, sharps in sharp ones.

import MIDIStages
import MIDIStagesModel
import Testing

@Suite struct NoteSpellingTests {
  func name(_ root: Int, _ quality: String, over bass: Int? = nil, _ spelling: NoteSpelling)
    -> String?
  {
    guard let place = ChordQuality.all.firstIndex(where: { $0.symbol == quality }) else {
      return nil
    }
    return ChordName(root: root, quality: place, bass: bass ?? root, spelling: spelling)?
      .description
  }

  @Test func rootsAreSpelledAsInTheirOwnKey() {
    #expect(
      (0..<12).map { name($0, "", .automatic) } == [
        "C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B",
      ])
    #expect(
      (0..<12).map { name($0, "m7", .automatic) } == [
        "Cm7", "C#m7", "Dm7", "Ebm7", "Em7", "Fm7", "F#m7", "Gm7", "G#m7", "Am7", "Bbm7", "Bm7",
      ])
    #expect(name(10, "maj7", .automatic) == "Bbmaj7")
    #expect(name(8, "7", .automatic) == "Ab7")
    #expect(name(1, "dim7", .automatic) == "C#dim7")
  }

  /// Root, quality, bass.
  static let basses: [(Int, String, Int, String)] = [
    (0, "m", 3, "Cm/Eb"), (0, "7", 10, "C7/Bb"), (0, "", 10, "C/Bb"), (0, "dim", 6, "Cdim/Gb"),
    (0, "aug", 8, "Caug/G#"), (4, "", 8, "E/G#"), (5, "m", 8, "Fm/Ab"), (5, "", 9, "F/A"),
    (3, "", 10, "Eb/Bb"), (2, "", 6, "D/F#"), (6, "", 10, "F#/A#"), (8, "", 0, "Ab/C"),
    (3, "m", 6, "Ebm/Gb"), (9, "", 1, "A/C#"), (7, "m", 10, "Gm/Bb"), (0, "dim7", 9, "Cdim7/A"),
    (10, "m7b5", 4, "Bbm7b5/E"), (6, "", 5, "F#/F"), (11, "", 3, "B/D#"), (0, "", 6, "C/F#"),
  ]

  @Test func aBassHasTheLetterOfItsInterval() {
    for (root, quality, bass, expected) in Self.basses {
      #expect(name(root, quality, over: bass, .automatic) == expected)
    }
  }

  @Test func aSpellingCanBeChosen() {
    #expect(name(10, "", over: 3, .sharps) == "A#/D#")
    #expect(name(6, "m", over: 1, .flats) == "Gbm/Db")
    let rig = ChainRig([.chord])
    rig.setNow("chord.spelling", 1)
    #expect(rig.midi([0x90, 60, 1]).count == 1)
  }
}

// The chord of a set of notes.

/// A chord as found above its bass.
public struct ChordMatch: Sendable, Equatable {
  /// The root, in semitones above the bass, 0 to 11.
  public let root: Int
  /// The index in `ChordQuality.all`.
  public let quality: Int
  /// The position: 0 for the root position, 1 to 3 for inversions, 4 if another note is the bass.
  public let position: Int

  /// Finds the chord of some notes.
  ///
  /// - Parameter notes: bit n: a note n semitones above the bass, in any octave. Bit 0 is the bass.
  /// - Returns: nil if no chord has these notes. Of several, one with at most one missing note is
  ///   preferred. Next is one whose root is the bass, then the one with the fewest missing notes,
  ///   then the first in `ChordQuality.all`. More than one note is missing only if the root is the
  ///   bass. If no chord has the bass among its notes, the chord without it is used, and the bass
  ///   is a slash bass.
  /// - Thread: [any]. - Complexity: O(notes · qualities)
  public init?(notes: UInt16) {
    let notes = notes & 0xFFF
    if let found = Self.best(notes) {
      self = found
    } else if (notes & ~1).nonzeroBitCount >= 3, let found = Self.best(notes & ~1) {
      self = ChordMatch(root: found.root, quality: found.quality, position: 4)
    } else {
      return nil
    }
  }

  init(root: Int, quality: Int, position: Int) {
    self.root = root
    self.quality = quality
    self.position = position
  }

  private static func best(_ notes: UInt16) -> ChordMatch? {
    var best: (rank: (Int, Int, Int, Int), match: ChordMatch)?
    for root in 0..<12 where notes >> UInt16(root) & 1 != 0 {
      // The same notes, counted from the root.
      let turned = (notes >> UInt16(root) | notes << UInt16(12 - root)) & 0xFFF
      for (index, quality) in ChordQuality.all.enumerated() {
        let may = ChordQuality.notes(quality.missing)
        let needed = quality.notes & ~may
        guard turned & needed == needed,
          turned & ~(quality.notes | ChordQuality.notes(quality.added)) == 0
        else { continue }
        let missing = (quality.notes & ~turned).nonzeroBitCount
        if missing > 1 && root > 0 { continue }
        let rank = (missing > 1 ? 1 : 0, root > 0 ? 1 : 0, missing, index)
        if best == nil || rank < best!.rank {
          best = (
            rank,
            ChordMatch(root: root, quality: index, position: position(ofBass: (12 - root) % 12))
          )
        }
      }
    }
    return best?.match
  }

  /// - Parameter bass: in semitones above the root.
  private static func position(ofBass bass: Int) -> Int {
    switch bass {
    case 0: 0
    case 3, 4: 1
    case 6, 7, 8: 2
    case 9, 10, 11: 3
    default: 4
    }
  }
}

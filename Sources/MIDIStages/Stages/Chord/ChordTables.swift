// Tables of chords for the render side.

import Realtime

/// The results of `ChordQuality` and `ChordMatch` in tables, made once and kept as long as the
/// process.
struct ChordTables: @unchecked Sendable, BitwiseCopyable {
  static let shared = ChordTables()

  static var notesOfChord: Int { @_noLocks @_noAllocation get { 8 } }

  /// The number of notes of each quality, then their intervals.
  private let intervals: UnsafeMutablePointer<UInt8>
  private let qualityCount: Int
  /// The chord of each set of notes above a bass, without the bass's bit: quality + 1, or 0 for
  /// none, · 256 + root · 16 + position.
  private let matches: UnsafeMutablePointer<UInt16>

  private init() {
    qualityCount = ChordQuality.all.count
    intervals = .allocate(capacity: qualityCount * Self.notesOfChord)
    intervals.initialize(repeating: 0, count: qualityCount * Self.notesOfChord)
    for (index, quality) in ChordQuality.all.enumerated() {
      intervals[index * Self.notesOfChord] = UInt8(quality.intervals.count)
      for (note, interval) in quality.intervals.enumerated() {
        intervals[index * Self.notesOfChord + 1 + note] = UInt8(interval)
      }
    }
    matches = .allocate(capacity: 2048)
    for above in 0..<2048 {
      let match = ChordMatch(notes: UInt16(above) << 1 | 1)
      let value = match.map { ($0.quality + 1) << 8 | $0.root << 4 | $0.position } ?? 0
      (matches + above).initialize(to: UInt16(value))
    }
  }

  /// The number of notes of a quality.
  /// - Parameter quality: its index in `ChordQuality.all`.
  @_noLocks @_noAllocation
  func noteCount(_ quality: Int) -> Int {
    if quality < 0 || quality >= qualityCount { return 1 }
    return Int(intervals[quality * Self.notesOfChord])
  }

  /// The interval of a quality's note; 0 is the root.
  @_noLocks @_noAllocation
  func interval(_ quality: Int, note: Int) -> Int {
    if quality < 0 || quality >= qualityCount || note < 0 || note > 6 { return 0 }
    return Int(intervals[quality * Self.notesOfChord + 1 + note])
  }

  /// The entry of `matches` for notes above a bass; bit 0 is the bass.
  @_noLocks @_noAllocation
  func match(_ notes: UInt16) -> Int { Int(matches[Int(notes >> 1) & 2047]) }
}

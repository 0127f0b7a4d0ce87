// Flaws of MIDI files that can be played nevertheless.

/// One kind of flaw of a MIDI file, and its first occurrence.
///
/// - Thread: [any]
public struct MIDIFileRemark: Sendable, Equatable, CustomStringConvertible {
  public enum Kind: Int, Sendable, CaseIterable {
    /// Channel messages with data bytes above 127.
    case dataBytes
    /// System Exclusive messages that contain bytes above 127.
    case systemExclusiveBytes
    /// System Exclusive messages without an end byte.
    case systemExclusiveEnds
    /// Sounds embedded in an RMID file.
    case sounds
    /// A file of format 2.
    case sequences
  }

  public let kind: Kind
  /// The number of occurrences.
  public internal(set) var count: Int
  /// The track of the first occurrence, from 0; nil outside of tracks.
  public let track: Int?
  /// Byte offset of the first occurrence in the file.
  public let offset: Int

  public var description: String {
    let location = "byte \(offset)" + (track.map { " of the file, in track \($0 + 1)" } ?? "")
    let first = count == 1 ? "at \(location)" : "the first at \(location)"
    switch kind {
    case .dataBytes:
      return "\(plural("message")) with data bytes above 127, \(first): bends play without their"
        + " eighth bits, others are left out"
    case .systemExclusiveBytes:
      return "\(plural("System Exclusive message")) with bytes above 127, left out, \(first)"
    case .systemExclusiveEnds:
      return "\(plural("System Exclusive message")) without end (F7), which is added, \(first)"
    case .sounds:
      return "the sounds that it brings along are not used, \(first)"
    case .sequences:
      return "its format is 2: its \(plural("sequence")) play one after another"
    }
  }

  private func plural(_ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

/// The longest pause before an event of a MIDI file; shows damaged times.
///
/// - Thread: [any]
public struct MIDIFilePause: Sendable, Equatable {
  public let seconds: Double
  /// The track, from 0.
  public let track: Int
  /// Byte offset of the time in the file.
  public let offset: Int
}

// What is not right in a MIDI file that is played nevertheless.

/// One kind of flaw of a MIDI file, and where it is met first.
///
/// - Thread: [any]
public struct MIDIFileRemark: Sendable, Equatable, CustomStringConvertible {
  public enum Kind: Int, Sendable, CaseIterable {
    /// Channel messages with data bytes above 127.
    case dataBytes
    /// System Exclusive messages with bytes above 127 inside.
    case systemExclusiveBytes
    /// System Exclusive messages without their end.
    case systemExclusiveEnds
    /// Sounds in an RMID file.
    case sounds
    /// A file of format 2.
    case sequences
  }

  public let kind: Kind
  /// How often it is met.
  public internal(set) var count: Int
  /// The track of the first place, from 0; nil outside of tracks.
  public let track: Int?
  /// The byte of the file where the first place is.
  public let offset: Int

  public var description: String {
    let place = "byte \(offset)" + (track.map { " of the file, in track \($0 + 1)" } ?? "")
    let first = count == 1 ? "at \(place)" : "the first at \(place)"
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

/// Where a MIDI file waits longest for its next event; a damaged time shows here.
///
/// - Thread: [any]
public struct MIDIFilePause: Sendable, Equatable {
  public let seconds: Double
  /// The track, from 0.
  public let track: Int
  /// The byte of the file where the time is.
  public let offset: Int
}

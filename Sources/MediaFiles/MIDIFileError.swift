// Errors of reading MIDI files.

/// The reason why a MIDI file cannot be read.
///
/// - Thread: [any]
public enum MIDIFileError: Error, Equatable, CustomStringConvertible {
  case unreadable(file: String, reason: String)
  case tooLong(file: String, maximumBytes: Int)
  /// The bytes at `offset` break the format.
  case malformed(file: String, offset: Int, what: String)
  /// A valid file of an unsupported kind.
  case unsupported(file: String, what: String)

  public var description: String {
    switch self {
    case .unreadable(let file, let reason): "cannot read \(file): \(reason)"
    case .tooLong(let file, let maximumBytes):
      "\(file) is too long for a MIDI file: at most \(maximumBytes) bytes are read"
    case .malformed(let file, let offset, let what):
      "\(file) is no sound MIDI file: \(what), at byte \(offset); export it anew"
    case .unsupported(let file, let what):
      "cannot play \(file): \(what); export it as a MIDI file of format 0 or 1"
    }
  }
}

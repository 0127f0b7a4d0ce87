// The error of a SoundFont that was not loaded.

/// The reason a SoundFont, or a request for one, was refused. The former sound continues.
public enum SoundFontError: Error, Sendable, Hashable, CustomStringConvertible {
  case missing(path: String)
  case unreadable(path: String, reason: String)
  /// Another kind of file.
  case notASoundFont(path: String)
  /// The file is shorter than it says.
  case truncated(path: String, bytes: Int, expected: Int)
  /// A SoundFont whose parts contradict each other.
  case damaged(path: String, reason: String)
  /// A SoundFont that would take more memory or time than it may.
  case tooLarge(path: String, reason: String)
  /// A SoundFont without presets.
  case empty(path: String)
  case presetNotFound(bank: Int, program: Int, path: String, available: [SoundFontPreset])
  /// A name that no preset has; `nearest` is nil if none is similar.
  case unknownSound(String, path: String, nearest: String?, available: [String])
  /// A name that several presets have.
  case ambiguousSound(String, path: String, [SoundFontPreset])
  /// Nothing is loaded that could be loaded again.
  case nothingLoaded
  case outOfMemory(path: String)
  /// A stack of no files.
  case noFiles
  case bankOffsetOutOfRange(Int, path: String)

  /// The file's path, for a stack the paths of all; nil without a file.
  ///
  /// - Thread: [any]
  public var path: String? {
    switch self {
    case .missing(let path), .unreadable(let path, _), .notASoundFont(let path),
      .truncated(let path, _, _), .damaged(let path, _), .tooLarge(let path, _),
      .empty(let path),
      .presetNotFound(_, _, let path, _), .unknownSound(_, let path, _, _),
      .ambiguousSound(_, let path, _), .outOfMemory(let path),
      .bankOffsetOutOfRange(_, let path):
      path
    case .nothingLoaded, .noFiles: nil
    }
  }

  public var description: String {
    switch self {
    case .missing(let path):
      "\(path): there is no such file"
    case .unreadable(let path, let reason):
      "\(path): cannot be read: \(reason)"
    case .notASoundFont(let path):
      "\(path): not a SoundFont; give an SF2 or SF3 file"
    case .truncated(let path, let bytes, let expected):
      "\(path): ends after \(bytes) of \(expected) bytes; get a complete copy"
    case .damaged(let path, let reason):
      "\(path): damaged SoundFont: \(reason)"
    case .tooLarge(let path, let reason):
      "\(path): too large a SoundFont: \(reason)"
    case .empty(let path):
      "\(path): a SoundFont without presets"
    case .presetNotFound(let bank, let program, let path, let available):
      "\(path): no program \(program) in bank \(bank); it has "
        + Self.few(available.map(\.description))
    case .unknownSound(let name, let path, let nearest, let available):
      "\(path): no sound '\(name)'"
        + (nearest.map { ": did you mean '\($0)'? It has " } ?? "; it has ")
        + Self.few(available)
        + " (auricle soundfont lists them)"
    case .ambiguousSound(let name, let path, let presets):
      "\(path): several sounds are called '\(name)'; choose one by bank and program: "
        + presets.map { "\($0.bank):\($0.program)" }.joined(separator: ", ")
    case .nothingLoaded:
      "no SoundFont is loaded; load one first"
    case .outOfMemory(let path):
      "\(path): not enough memory to load it"
    case .noFiles:
      "no SoundFont was given; give at least one file"
    case .bankOffsetOutOfRange(let offset, let path):
      "\(path): a bank offset of \(offset); give \(SoundFontEntry.bankOffsets.lowerBound) to "
        + "\(SoundFontEntry.bankOffsets.upperBound)"
    }
  }

  private static func few(_ names: [String]) -> String {
    let most = 8
    return names.prefix(most).joined(separator: ", ")
      + (names.count > most ? " and \(names.count - most) more" : "")
  }

  /// Whether the files can be played, and have no such sound.
  package var isOfSound: Bool {
    switch self {
    case .presetNotFound, .unknownSound, .ambiguousSound: true
    default: false
    }
  }
}

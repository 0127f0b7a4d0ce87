// Errors of saving, finding and reading presets.

/// A fault of a preset or its file.
public enum PresetError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name is empty, longer than 255 bytes once escaped, or has control characters.
  case invalidName(String)
  /// The preset's number is not below 0.
  case notAUserPreset(Preset)
  case numberTaken(Int, by: String)
  case nameTaken(String)
  case userPresetsUnsupported
  case unknownPreset(Preset, known: [String])
  /// The file is not a property list, or not a preset.
  case malformed(file: String, reason: String)
  /// The file belongs to another component.
  case foreign(file: String, codes: String, expected: String)
  case tooLarge(file: String, maximumBytes: Int)
  case unreadable(file: String, reason: String)
  case notWritten(file: String, reason: String)
  /// The preset was read, but the unit refused its state.
  case refused(Preset, StateError)
  /// A program's own store failed, for a reason that no other case names.
  case storeFailed(reason: String)

  public var description: String {
    switch self {
    case .invalidName(let name):
      "\"\(name)\" cannot name a preset; give 1 to about 240 characters without control characters"
    case .notAUserPreset(let preset):
      "preset \"\(preset.name)\" has number \(preset.number); user presets have numbers below 0"
    case .numberTaken(let number, let name):
      "number \(number) belongs to preset \"\(name)\"; take another number"
    case .nameTaken(let name):
      "there already is a preset \"\(name)\"; take another name or delete it first"
    case .userPresetsUnsupported:
      "this unit does not keep user presets"
    case .unknownPreset(let preset, let known):
      "no preset \"\(preset.name)\" (number \(preset.number)); there "
        + (known.isEmpty ? "are none" : "is \(known.joined(separator: ", "))")
    case .malformed(let file, let reason):
      "\(file): not a preset: \(reason)"
    case .foreign(let file, let codes, let expected):
      "\(file): a preset of \(codes), not of \(expected)"
    case .tooLarge(let file, let bytes):
      "\(file): larger than \(bytes) bytes, which no preset is"
    case .unreadable(let file, let reason):
      "\(file): cannot be read: \(reason)"
    case .notWritten(let file, let reason):
      "\(file): cannot be written: \(reason)"
    case .refused(let preset, let error):
      "preset \"\(preset.name)\": \(error)"
    case .storeFailed(let reason):
      "the store of user presets failed: \(reason)"
    }
  }
}

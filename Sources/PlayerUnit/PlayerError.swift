// Why a file cannot be played.

public import MediaFiles

/// Why a file cannot be played.
public enum PlayerError: Error, CustomStringConvertible {
  case midi(MIDIFileError)
  case clip(AudioClipError)
  /// The unit could not be made.
  case failed(String)

  public var description: String {
    switch self {
    case .midi(let error): error.description
    case .clip(let error):
      switch error {
      case .tooLarge, .outOfMemory: "\(error); auricle bounce --input takes any length"
      default: error.description
      }
    case .failed(let reason): reason
    }
  }
}

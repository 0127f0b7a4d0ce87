// The error of a file that cannot be played.

public import MediaFiles

/// The reason a file cannot be played.
public enum PlayerError: Error, CustomStringConvertible {
  case midi(MIDIFileError)
  case clip(AudioClipError)
  /// Creating the unit failed.
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

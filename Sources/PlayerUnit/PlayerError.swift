// Why a file cannot be played.

public import MediaFiles

/// Why a file cannot be played.
public enum PlayerError: Error, CustomStringConvertible {
  case midi(MIDIFileError)
  case audio(AudioFileError)
  /// Audio of no frames.
  case empty(file: String)
  /// Audio that would take more memory than it may.
  case tooLarge(file: String, maximumBytes: Int)
  /// Audio for which there is not enough memory.
  case outOfMemory(file: String, bytes: Int)
  /// The unit could not be made.
  case failed(String)

  public var description: String {
    switch self {
    case .midi(let error): error.description
    case .audio(let error): error.description
    case .empty(let file): "\(file) is empty"
    case .tooLarge(let file, let maximum):
      "\(file) is too long to be played: its samples take more than \(maximum >> 20) MB of memory;"
        + " auricle bounce --input takes any length"
    case .outOfMemory(let file, let bytes):
      "\(file): not enough memory for its samples: \(bytes >> 20) MB;"
        + " auricle bounce --input takes any length"
    case .failed(let reason): reason
    }
  }
}

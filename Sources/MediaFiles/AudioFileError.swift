// What can go wrong with audio files.

/// - Thread: [any]
public enum AudioFileError: Error, Equatable, CustomStringConvertible {
  case cannotOpen(file: String, reason: String)
  case cannotRead(file: String, reason: String)
  case cannotCreate(file: String, reason: String)
  /// The disk, or the user's share of it, is full. What was written is removed.
  case diskFull(file: String)
  case cannotWrite(file: String, reason: String)
  /// A sample rate or channel count that the format does not have.
  case unsupportedFormat(file: String, sampleRate: Double, channelCount: Int)
  /// The file was finished or cancelled before.
  case closed(file: String)

  public var description: String {
    switch self {
    case .cannotOpen(let file, let reason): "cannot open \(file) as audio: \(reason)"
    case .cannotRead(let file, let reason): "cannot read on in \(file): \(reason)"
    case .cannotCreate(let file, let reason): "cannot create \(file): \(reason)"
    case .diskFull(let file): "no space left for \(file): free some, or write elsewhere"
    case .cannotWrite(let file, let reason): "cannot write \(file): \(reason)"
    case .unsupportedFormat(let file, let sampleRate, let channelCount):
      "cannot write \(file) with \(channelCount) channels at \(sampleRate) Hz: "
        + "1 to 1024 channels and a whole rate from 1 Hz on can be had"
    case .closed(let file): "\(file) is already closed"
    }
  }
}

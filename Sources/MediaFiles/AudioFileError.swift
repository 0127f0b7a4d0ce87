// Errors of audio files.

import Platform

/// An error of reading or writing an audio file.
///
/// - Thread: [any]
public enum AudioFileError: Error, Equatable, CustomStringConvertible {
  case cannotOpen(file: String, reason: String)
  /// The audio is damaged after `seconds`, counted from the file's beginning.
  case cannotRead(file: String, seconds: Double, reason: String)
  case cannotCreate(file: String, reason: String)
  /// A file of this name exists; new files need a new name.
  case exists(file: String)
  /// The disk, or the user's quota, is full. The partial file is removed, unless it is a recording.
  case diskFull(file: String)
  case cannotWrite(file: String, reason: String)
  /// A sample rate or channel count that the format cannot store.
  case unsupportedFormat(file: String, format: String, sampleRate: Double, channelCount: Int)
  /// A file name whose extension is not a known format.
  case unknownFormat(file: String, known: [String])
  /// An encoding that the container cannot store.
  case encodingNotAvailable(
    file: String, container: AudioFileFormat.Container, available: [AudioFileFormat.Encoding])
  /// More frames than the format can count.
  case tooLong(file: String, format: String, maximumFrames: Int)
  /// The file was already finished or cancelled.
  case closed(file: String)
  /// A file whose header has an implausible sample rate.
  case sampleRate(file: String, hertz: Double)
  /// A call with invalid values, which changed nothing.
  case invalid(file: String, reason: String)

  public var description: String {
    switch self {
    case .cannotOpen(let file, let reason): "cannot open \(file) as audio: \(reason)"
    case .cannotRead(let file, let seconds, let reason):
      "cannot read \(file) beyond \(seconds) s: \(reason); it is damaged there"
    case .cannotCreate(let file, let reason): "cannot create \(file): \(reason)"
    case .exists(let file): "there is a \(file) already"
    case .diskFull(let file): "no space left for \(file): free some, or write elsewhere"
    case .cannotWrite(let file, let reason): "cannot write \(file): \(reason)"
    case .unsupportedFormat(let file, let format, let sampleRate, let channelCount):
      "cannot write \(file): \(format) does not take \(channelCount) channels at "
        + "\(sampleRate.plainText) Hz; "
        + "WAV has 1 to 1024 channels at any whole rate, FLAC up to 8"
    case .unknownFormat(let file, let known):
      "\(file) does not say what to write: its name is to end in "
        + known.map { ".\($0)" }.joined(separator: ", ")
    case .encodingNotAvailable(let file, let container, let available):
      available == [.vorbis]
        ? "\(file) is to be Ogg Vorbis, which has no choice of formats"
        : "\(file): \(container.rawValue.uppercased()) takes the formats "
          + available.map(\.rawValue).joined(separator: ", ")
    case .tooLong(let file, let format, let maximumFrames):
      "\(file) would be too long: \(format) takes \(maximumFrames) frames; write .wav, .w64 or .caf"
    case .closed(let file): "\(file) is already closed"
    case .sampleRate(let file, let hertz):
      "\(file) has a sample rate of \(Int(hertz)) Hz; accepted: "
        + "\(Int(AudioFileReader.sampleRates.lowerBound)) to "
        + "\(Int(AudioFileReader.sampleRates.upperBound)) Hz"
    case .invalid(let file, let reason): "\(file): \(reason)"
    }
  }
}

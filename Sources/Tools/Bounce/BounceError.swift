// Errors of a bounce.

import Graph
import MediaFiles

/// The reason of a failed bounce. No output file was written, and an existing one is unchanged.
public enum BounceError: Error, CustomStringConvertible {
  case midi(MIDIFileError)
  case audio(AudioFileError)
  case graph(GraphError)
  case nothingToPlay
  /// An option outside its range, with the range in words.
  case option(String, accepted: String)
  /// The output file is one of the bounce's inputs.
  case overwrites(output: String, what: String)
  case inputRate(file: String, rate: Double, wanted: Double)
  case inputChannels(file: String, channels: Int, wanted: Int)
  case noOutputs
  /// `seconds` is nil if the length of an input beyond the limit is unknown.
  case tooLong(cause: String, seconds: Double?, maximum: Double)
  /// `remedies` are ways to a smaller file.
  case noSpace(file: String, bytes: Int, free: Int, remedies: [String])
  case cancelled

  /// Whether it is an error of usage, for the exit status.
  public var isUsage: Bool {
    switch self {
    case .nothingToPlay, .option, .overwrites, .audio(.exists), .audio(.unknownFormat),
      .audio(.encodingNotAvailable):
      true
    default: false
    }
  }

  public var description: String {
    switch self {
    case .midi(let error): error.description
    case .audio(.exists(let file)): replaceText(file)
    case .audio(let error): error.description
    case .graph(let error): error.description
    case .nothingToPlay:
      "there is nothing to play: give --midi, --input, or both, or --seconds for what plays by itself"
    case .option(let name, let accepted): "\(name) takes \(accepted)"
    case .overwrites(let output, let what):
      "\(output) is \(what), which the bounce would destroy; give --output another name"
    case .inputRate(let file, let rate, let wanted):
      "\(file) has \(Int(rate)) Hz, not \(Int(wanted)) Hz: leave --sample-rate out to bounce at the"
        + " file's rate, or resample the file (auricle convert \(file) resampled.wav --sample-rate"
        + " \(Int(wanted)))"
    case .inputChannels(let file, let channels, let wanted):
      "\(file) has \(channels) channels, but there are inputs with \(wanted); give mono or \(wanted)"
    case .noOutputs:
      "no unit has an audio output that is open to the outside, so there is nothing to write;"
        + " a sampler makes MIDI audible"
    case .tooLong(let cause, let seconds?, let maximum):
      "the output would last \(durationText(seconds)): \(cause); it may last \(durationText(maximum))"
        + Self.longer(than: seconds, maximum)
    case .tooLong(let cause, nil, let maximum):
      "the output would last longer than \(durationText(maximum)): \(cause)"
        + Self.longer(than: nil, maximum)
    case .noSpace(let file, let bytes, let free, let remedies):
      "\(file) will take \(byteText(bytes)), but its disk has \(byteText(free)) left: "
        + (["free some", "write elsewhere"] + remedies).joined(separator: ", or ")
    case .cancelled:
      "cancelled; nothing was written"
    }
  }

  /// Returns a hint to a longer limit, if one is possible; `seconds` is nil if the length is
  /// unknown.
  private static func longer(than seconds: Double?, _ maximum: Double) -> String {
    let limit = BounceOptions.maximumLengths.upperBound
    if let seconds, seconds <= limit {
      return ", or what --maximum-length says (--maximum-length \(Int(seconds.rounded(.up))))"
    }
    return maximum < limit
      ? "; --maximum-length takes up to \(Int(limit)) seconds" : ", the most there is"
  }
}

/// Returns the message for an output that exists.
func replaceText(_ file: String) -> String {
  "\(file) exists; accepted: another name, or --overwrite to replace it"
}

/// Formats a duration: "12.5 s", "5 min 12 s", "3 h 7 min".
func durationText(_ seconds: Double) -> String {
  let whole = Int(seconds.rounded())
  if whole < 60 { return "\((seconds * 10).rounded() / 10) s" }
  let hasHours = whole >= 3600
  let (large, small) = hasHours ? (whole / 3600, whole % 3600 / 60) : (whole / 60, whole % 60)
  let (one, other) = hasHours ? ("h", "min") : ("min", "s")
  return "\(large) \(one)" + (small > 0 ? " \(small) \(other)" : "")
}

/// Formats a size: "3.1 GB", "12.4 MB", "60 kB".
func byteText(_ bytes: Int) -> String {
  switch bytes {
  case 1_000_000_000...: "\((Double(bytes) / 1e8).rounded() / 10) GB"
  case 1_000_000...: "\((Double(bytes) / 1e5).rounded() / 10) MB"
  default: "\((bytes + 999) / 1000) kB"
  }
}

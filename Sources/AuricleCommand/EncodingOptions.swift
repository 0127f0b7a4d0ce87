// Options for the format of an audio file.

import ArgumentParser
import MediaFiles
import Tools

extension AudioFileFormat.Encoding: ExpressibleByArgument {
  /// Choices without Vorbis, which only Ogg uses.
  public static var allValueStrings: [String] {
    allCases.filter { $0 != .vorbis }.map(\.rawValue)
  }
}

/// The sample encoding, for commands that choose the file type by the output's name.
struct EncodingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Bits of a sample, or float, if the output's format has it.",
      valueName: "16|24|32|float"))
  var format: AudioFileFormat.Encoding?

  func validate() throws {
    guard format != .vorbis else { throw ValidationError("--format takes 16, 24, 32 and float") }
  }

  /// - Throws: `ValidationError` for a name of unknown type, or for a type without the encoding.
  func check(_ file: String) throws {
    do throws(AudioFileError) { _ = try AudioFileFormat(fileName: file, encoding: format) } catch {
      throw Self.refusal(error)
    }
  }

  /// Returns the error of a name or an encoding as that of an option.
  static func refusal(_ error: AudioFileError) -> ValidationError {
    ValidationError(harmless("\(error)", isOneLine: true))
  }

  /// - Parameter sampleRate: in hertz; nil if not given.
  /// - Throws: `ValidationError` for a rate outside the accepted range.
  static func check(sampleRate: Double?) throws {
    guard let sampleRate else { return }
    guard BounceOptions.sampleRates.contains(sampleRate), sampleRate == sampleRate.rounded()
    else { throw ValidationError("--sample-rate takes \(BounceOptions.acceptedSampleRates)") }
  }
}

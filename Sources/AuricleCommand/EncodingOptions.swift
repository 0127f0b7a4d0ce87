// How an audio file is written.

import ArgumentParser
import MediaFiles
import Tools

extension AudioFileFormat.Encoding: ExpressibleByArgument {
  /// Ogg's Vorbis is no choice.
  public static var allValueStrings: [String] {
    allCases.filter { $0 != .vorbis }.map(\.rawValue)
  }
}

/// For the commands that write a file whose name says its kind.
struct EncodingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Bits of a sample, or float: what the output's kind has of them.",
      valueName: "16|24|32|float"))
  var format: AudioFileFormat.Encoding?

  func validate() throws {
    guard format != .vorbis else { throw ValidationError("--format takes 16, 24, 32 and float") }
  }

  /// - Throws: `ValidationError` for a name that says no kind of file, or one without the format.
  func check(_ file: String) throws {
    do { _ = try AudioFileFormat(fileName: file, encoding: format) } catch {
      throw ValidationError(harmless("\(error)", isOneLine: true))
    }
  }

  /// - Parameter sampleRate: in hertz; nil where none was given.
  /// - Throws: `ValidationError` for one that no file is written with.
  static func check(sampleRate: Double?) throws {
    guard let sampleRate else { return }
    guard BounceOptions.sampleRates.contains(sampleRate), sampleRate == sampleRate.rounded()
    else { throw ValidationError("--sample-rate takes \(BounceOptions.acceptedSampleRates)") }
  }
}

// auricle convert

import ArgumentParser
import FoundationEssentials
import Logging
import MediaFiles
import Session
import Tools

struct ConvertCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Convert an audio file to another format, sample rate or number of channels.",
    discussion: """
      The input has any format of libsndfile, also MP3. The output's extension selects its format: .wav (32-bit float), \
      .w64, .flac (24 bits), .ogg (Vorbis), .aiff or .caf.
      """)

  @Argument(help: "The file to read.", completion: .file())
  var input: String

  @Argument(
    help: "The file to write.",
    completion: .file(extensions: ["wav", "w64", "flac", "ogg", "aiff", "caf"]))
  var output: String

  @Option(
    help: ArgumentHelp("8000 to 384000. Default: the input's.", valueName: "hertz"))
  var sampleRate: Double?

  @OptionGroup var encoding: EncodingOptions

  @Option(
    help: ArgumentHelp(
      "1 to 8, mixed as by the mixer unit. Default: the input's.", valueName: "number"))
  var channels: Int?

  @Flag(help: "Replace an existing output, which is refused otherwise.")
  var overwrite = false

  func validate() throws {
    try EncodingOptions.check(sampleRate: sampleRate)
    if let channels, !(1...8).contains(channels) {
      throw ValidationError("--channels takes 1 to 8")
    }
    try encoding.check(output)
  }

  func run() async throws {
    CommandLog.install(isVerbose: false)
    let signals = SignalStream()
    let progress = ProgressLine("converting")
    let conversion = FileConversion(
      input: URL(fileURLWithPath: input), output: URL(fileURLWithPath: output),
      encoding: encoding.format,
      sampleRate: sampleRate, channels: channels, overwrites: overwrite)
    let result: FileConversion.Result
    do {
      result = try conversion.run(
        progress: { progress.show($0) }, isCancelled: { signals.hasArrived })
    } catch {
      progress.clear()
      let message = harmless(error.description, isOneLine: true)
      throw CommandFailure(message: message, status: error.isUsage ? 2 : 1)
    }
    progress.clear()
    if result.clippedSamples > 0 {
      Logger(label: "auricle").warning(
        "\(result.clippedSamples) samples are beyond full scale and were cut off there")
    }
    try StandardOutput.write("wrote \(harmless(output, isOneLine: true)): \(result.text)")
  }
}

extension FileConversion.Result {
  fileprivate var text: String {
    "\(clock(Double(frames) / sampleRate)), \(channels) channel\(channels == 1 ? "" : "s"), "
      + "\(Int(sampleRate)) Hz, \(format.name)"
  }
}

// auricle bounce

import ArgumentParser
import FoundationEssentials
import Glibc
import Logging
import MediaFiles
import Platform
import Session
import SessionModel
import Tools

struct BounceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bounce",
    abstract: "Render a session with a MIDI file, or audio, to an audio file.",
    discussion: """
      The output's extension selects the format: .wav (32-bit float), .w64, .flac (24 bits), .ogg (Vorbis), .aiff or \
      .caf. Give --midi, --input, or both, or --seconds for units that play without input.
      """)

  @Argument(
    help: "The session's configuration: a TOML file, or its name, as for run.",
    completion: .file(extensions: ["toml"]))
  var config: String

  @Option(
    help: ArgumentHelp("The MIDI file that plays every unit with a MIDI port.", valueName: "file"),
    completion: .file(extensions: ["mid", "midi", "rmi"]))
  var midi: String?

  @Option(
    help: ArgumentHelp(
      "The file to write: .wav, .w64, .flac, .ogg, .aiff or .caf.", valueName: "file"))
  var output: String

  @Option(help: ArgumentHelp("Audio for the units' inputs.", valueName: "file"))
  var input: String?

  @OptionGroup var settings: SettingOptions

  @OptionGroup var encoding: EncodingOptions

  @Option(
    help: ArgumentHelp(
      "8000 to 384000. Default: the input's, or 48000.", valueName: "hertz"))
  var sampleRate: Double?

  @Option(
    help: ArgumentHelp(
      "Frames per cycle, 1 to 8192. The output does not depend on it.", valueName: "frames"))
  var period: Int = 1024

  @Option(
    help: ArgumentHelp(
      "Length of the output. Default: up to the end of the MIDI file and the input, plus the tail.",
      valueName: "seconds"))
  var seconds: Double?

  @Option(
    help: ArgumentHelp(
      "Seconds rendered after the end of the MIDI file and the input, 0 to 3600.",
      valueName: "seconds"))
  var tail: Double = 3

  @Option(
    help: ArgumentHelp(
      "Limit of the output's length, 1 to 1000000. A longer output is refused.",
      valueName: "seconds"))
  var maximumLength: Double = BounceOptions.defaultMaximumSeconds

  @Flag(help: "Replace an existing output, which is refused otherwise.")
  var overwrite = false

  @OptionGroup var cores: CoreOptions

  func validate() throws {
    if midi == nil, input == nil, seconds == nil {
      throw ValidationError("\(BounceError.nothingToPlay)")
    }
    try EncodingOptions.check(sampleRate: sampleRate)
    guard BounceOptions.periods.contains(period) else {
      throw ValidationError("--period takes \(BounceOptions.acceptedPeriods)")
    }
    if let seconds, !BounceOptions.lengths.contains(seconds) {
      throw ValidationError("--seconds takes \(BounceOptions.acceptedLengths)")
    }
    guard BounceOptions.tails.contains(tail) else {
      throw ValidationError("--tail takes \(BounceOptions.acceptedTails)")
    }
    guard BounceOptions.maximumLengths.contains(maximumLength) else {
      throw ValidationError("--maximum-length takes \(BounceOptions.acceptedMaximumLengths)")
    }
    try encoding.check(output)
  }

  func run() async throws {
    CommandLog.install(isVerbose: false)
    let signals = SignalStream()
    let plan = try await SessionPlan.load(config, settings)
    let options = BounceOptions(
      midi: midi.map { URL(fileURLWithPath: $0) }, output: URL(fileURLWithPath: output),
      input: input.map { URL(fileURLWithPath: $0) }, sampleRate: sampleRate, period: period,
      seconds: seconds, tailSeconds: tail, encoding: encoding.format, maximumSeconds: maximumLength,
      overwrites: overwrite,
      secondCore: cores.secondCore)
    let progress = ProgressLine("bouncing")
    let log = Logger(label: "auricle")
    let bounce = Bounce(plan, options) { warning in
      progress.clear()
      log.warning("\(warning)")
    }
    let result: BounceResult
    do {
      result = try bounce.run(
        progress: { progress.show($0.text) }, isCancelled: { signals.hasArrived })
    } catch {
      progress.clear()
      let message = harmless(error.description, isOneLine: true)
      throw CommandFailure(message: message, status: error.isUsage ? 2 : 1)
    }
    progress.clear()
    try StandardOutput.write("wrote \(harmless(output, isOneLine: true)): \(result.text)")
  }
}

extension BounceProgress {
  /// The progress as text: "42 % of 3:10", "1:20 so far".
  fileprivate var text: String {
    guard let totalSeconds, totalSeconds > 0 else { return "\(clock(seconds)) so far" }
    return "\(Int(seconds / totalSeconds * 100)) % of \(clock(totalSeconds))"
  }
}

extension BounceResult {
  /// The result as text: "2 channels, 3.50 s at 48000 Hz, 24-bit FLAC, peak -3.2 dB".
  fileprivate var text: String {
    let peak =
      self.peak > 0 ? "peak \((20 * log10(Double(self.peak))).text(decimals: 1)) dB" : "silence"
    return "\(channels) channel\(channels == 1 ? "" : "s"),"
      + " \((Double(frames) / sampleRate).text(decimals: 2)) s at \(Int(sampleRate)) Hz,"
      + " \(format.name), \(peak)"
  }
}

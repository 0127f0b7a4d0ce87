// Checks before a bounce.

import Files
import FoundationEssentials
import MediaFiles
import SessionModel

/// The size of a bounce's output.
struct BounceSize {
  let format: AudioFileFormat
  let channels: Int
  let sampleRate: Double

  /// Returns the size of the output in bytes; nil if it depends on the audio.
  func bytes(frames: Int) -> Int? {
    format.bytesPerSample.map { bytes in
      let product = frames.multipliedReportingOverflow(by: bytes * channels)
      return product.overflow ? .max : product.partialValue
    }
  }

  /// Ways to a smaller file: FLAC for up to 8 channels, and 16 bits for larger samples.
  var remedies: [String] {
    let hasMoreBits = (format.bytesPerSample ?? 0) > 2
    return (channels <= 8 ? ["write .flac"] : [])
      + (hasMoreBits ? ["write 16 bits with --format 16"] : [])
  }
}

extension Bounce {
  var outputFormat: AudioFileFormat {
    get throws(BounceError) {
      try wrap(BounceError.audio) { () throws(AudioFileError) in
        try AudioFileFormat(fileName: options.output.relativePath, encoding: options.encoding)
      }
    }
  }

  /// Throws for options outside their ranges.
  func checkOptions() throws(BounceError) {
    let rate = options.sampleRate ?? BounceOptions.defaultSampleRate
    for (name, isAccepted, accepted) in [
      (
        "sampleRate", BounceOptions.sampleRates.contains(rate) && rate == rate.rounded(),
        BounceOptions.acceptedSampleRates
      ),
      ("period", BounceOptions.periods.contains(options.period), BounceOptions.acceptedPeriods),
      (
        "seconds", options.seconds.map(BounceOptions.lengths.contains) ?? true,
        BounceOptions.acceptedLengths
      ),
      (
        "tailSeconds", BounceOptions.tails.contains(options.tailSeconds),
        BounceOptions.acceptedTails
      ),
      (
        "maximumSeconds", BounceOptions.maximumLengths.contains(options.maximumSeconds),
        BounceOptions.acceptedMaximumLengths
      ),
    ] where !isAccepted {
      throw .option(name, accepted: accepted)
    }
  }

  /// Throws if the output is one of the files that are read.
  func checkOutput() throws(BounceError) {
    guard let output = FileIdentity(path: options.output.path) else { return }
    var sources = plan.sources
    if let midi = options.midi { sources.append(SourceFile("the MIDI file", midi)) }
    if let input = options.input { sources.append(SourceFile("the input", input)) }
    for source in sources where FileIdentity(path: source.url.path) == output {
      throw .overwrites(output: options.output.relativePath, what: source.what)
    }
  }

  /// Throws if the output is longer than allowed or larger than the free space, and warns of an
  /// unusually long one.
  func checkLength(
    _ length: BounceLength, limit: Int, _ size: BounceSize, _ midi: MIDIFile?, _ input: BounceInput?
  ) throws(BounceError) {
    let file = options.output.relativePath
    let least = length.expectedTotal ?? (length.midiEnd + length.tail)
    guard least <= limit else { throw tooLong(length, limit: limit, size, midi, input) }
    let maximum = size.format.maximumFrames(channelCount: size.channels)
    guard least <= maximum else {
      throw .audio(.tooLong(file: file, format: size.format.name, maximumFrames: maximum))
    }
    let bytes = size.bytes(frames: least)
    let folder = options.output.absoluteURL.resolvingSymlinksInPath().deletingLastPathComponent()
    if let bytes, let free = DiskSpace.free(in: folder.path), bytes > free {
      throw .noSpace(file: file, bytes: bytes, free: free, remedies: size.remedies)
    }
    let seconds = Double(least) / size.sampleRate
    if seconds > BounceOptions.usualSeconds {
      warn(
        "\(file) will last \(durationText(seconds))"
          + (bytes.map { " and take \(byteText($0))" } ?? "") + ": "
          + cause(length, midi, input))
    }
  }

  func tooLong(
    _ length: BounceLength, limit: Int, _ size: BounceSize, _ midi: MIDIFile?, _ input: BounceInput?
  ) -> BounceError {
    // An input may exceed the limit by an unknown length.
    let isOpen = input != nil && length.total == nil && length.isInputLonger
    let total = isOpen ? nil : length.expectedTotal
    return .tooLong(
      cause: cause(length, midi, input), seconds: total.map { Double($0) / size.sampleRate },
      maximum: options.maximumSeconds)
  }

  /// Returns the reason for the output's length.
  private func cause(
    _ length: BounceLength, _ midi: MIDIFile?, _ input: BounceInput?
  ) -> String {
    if options.seconds != nil { return "what was asked for" }
    if length.isInputLonger, let input { return "all of \(input.file)" }
    guard let midi, let url = options.midi else { return "its tail" }
    let pause = midi.longestPause
    let whole = "all of \(url.relativePath)"
    // A damaged time accounts for most of a file's length.
    guard pause.seconds > midi.durationSeconds / 2 else { return whole }
    return "\(whole), which waits \(durationText(pause.seconds)) for one event"
      + " (byte \(pause.offset), track \(pause.track + 1))"
  }
}

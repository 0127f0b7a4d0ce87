// Options of a bounce.

public import FoundationEssentials
public import GraphRender
public import MediaFiles

/// Options of a bounce; at least one of `midi`, `input` and `seconds` is required.
public struct BounceOptions: Sendable {
  /// The MIDI file for every unit that would have a MIDI port; nil for none.
  public var midi: URL?
  public var output: URL
  /// The sample encoding; nil for the default of the output's file type.
  public var encoding: AudioFileFormat.Encoding?
  /// Audio for every audio input that would have ports; nil for silence.
  public var input: URL?
  /// The sample rate in hertz; nil for the input's rate, or 48000 without input.
  public var sampleRate: Double?
  /// The period in frames; the output does not depend on it.
  public var period: Int
  /// The length of the output in seconds; nil for the longer one of MIDI file and input, plus
  /// `tailSeconds`.
  public var seconds: Double?
  /// Seconds to render after the end of both MIDI file and input.
  public var tailSeconds: Double
  /// The longest output, in seconds; a longer one is refused.
  public var maximumSeconds: Double
  /// Whether to replace an existing output; otherwise it is refused.
  public var overwrites: Bool
  /// Use of a second render thread.
  public var secondCore: SecondCore

  /// Accepted sample rates in hertz, which have to be whole numbers.
  public static let sampleRates = 8000.0...384_000.0
  public static let defaultSampleRate = 48000.0
  public static let periods = 1...8192
  public static let lengths = 0.001...MIDIFile.maximumSeconds
  public static let tails = 0.0...3600.0
  public static let maximumLengths = 1.0...MIDIFile.maximumSeconds
  /// Six hours: far longer than music, and far too short to fill a disk.
  public static let defaultMaximumSeconds = 21600.0
  /// Texts of the accepted ranges.
  public static let acceptedSampleRates = "whole numbers from \(words(sampleRates)) Hz"
  public static let acceptedPeriods = "\(periods.lowerBound) to \(periods.upperBound) frames"
  public static let acceptedLengths = "\(words(lengths)) seconds"
  public static let acceptedTails = "\(words(tails)) seconds"
  public static let acceptedMaximumLengths = "\(words(maximumLengths)) seconds"
  /// The bounce warns of an output longer than this.
  public static let usualSeconds = 3600.0

  public init(
    midi: URL? = nil, output: URL, input: URL? = nil, sampleRate: Double? = nil, period: Int = 1024,
    seconds: Double? = nil, tailSeconds: Double = 3, encoding: AudioFileFormat.Encoding? = nil,
    maximumSeconds: Double = BounceOptions.defaultMaximumSeconds, overwrites: Bool = false,
    secondCore: SecondCore = .whereFaster
  ) {
    self.midi = midi
    self.output = output
    self.input = input
    self.sampleRate = sampleRate
    self.period = period
    self.seconds = seconds
    self.tailSeconds = tailSeconds
    self.encoding = encoding
    self.maximumSeconds = maximumSeconds
    self.overwrites = overwrites
    self.secondCore = secondCore
  }

  private static func words(_ range: ClosedRange<Double>) -> String {
    func word(_ value: Double) -> String {
      value == value.rounded() ? "\(Int(value))" : "\(value)"
    }
    return "\(word(range.lowerBound)) to \(word(range.upperBound))"
  }
}

/// The progress of a bounce.
public struct BounceProgress: Sendable {
  /// Length of the rendered audio.
  public let seconds: Double
  /// Expected length of the output; nil if the input's length is unknown.
  public let totalSeconds: Double?
}

/// The result of a bounce.
public struct BounceResult: Sendable {
  public let frames: Int
  public let channels: Int
  /// The sample rate, in hertz.
  public let sampleRate: Double
  public let format: AudioFileFormat
  /// The largest absolute value of a sample; 1 is full scale.
  public let peak: Float
  /// MIDI messages that exceeded the event lists.
  public let refusedMIDI: Int
}

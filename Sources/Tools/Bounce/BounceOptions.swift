// How to bounce.

public import Foundation
public import GraphRender
public import MediaFiles

/// How to bounce. At least one of `midi`, `input` and `seconds` is given.
public struct BounceOptions: Sendable {
  /// Plays every unit that would have a MIDI port.
  public var midi: URL?
  public var output: URL
  /// How samples are held; nil is the usual of the format that the output's name says.
  public var encoding: AudioFileFormat.Encoding?
  /// Audio for every audio input that would have ports; nil is silence.
  public var input: URL?
  /// In hertz; nil is the input's rate, or 48000 without input.
  public var sampleRate: Double?
  /// In frames; the output does not depend on it.
  public var period: Int
  /// The length of the output; nil for that of the MIDI file or the input, whichever is longer, and
  /// `tailSeconds`.
  public var seconds: Double?
  /// Seconds rendered after the end of the MIDI file or the input, whichever is later.
  public var tailSeconds: Double
  /// The longest output, in seconds; what would be longer is refused.
  public var maximumSeconds: Double
  /// Whether an output that is there is replaced; else it is refused.
  public var overwrites: Bool
  /// Whether a second thread renders.
  public var secondCore: SecondCore

  /// Whole numbers.
  public static let sampleRates = 8000.0...384_000.0
  public static let defaultSampleRate = 48000.0
  public static let periods = 1...8192
  public static let lengths = 0.001...MIDIFile.maximumSeconds
  public static let tails = 0.0...3600.0
  public static let maximumLengths = 1.0...MIDIFile.maximumSeconds
  /// Six hours: far above music, and far below what fills a disk.
  public static let defaultMaximumSeconds = 21600.0
  /// What they accept, in words.
  public static let acceptedSampleRates = "whole numbers from \(words(sampleRates)) Hz"
  public static let acceptedPeriods = "\(periods.lowerBound) to \(periods.upperBound) frames"
  public static let acceptedLengths = "\(words(lengths)) seconds"
  public static let acceptedTails = "\(words(tails)) seconds"
  public static let acceptedMaximumLengths = "\(words(maximumLengths)) seconds"
  /// What is longer is told beforehand.
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

/// How far a bounce is.
public struct BounceProgress: Sendable {
  /// Of audio.
  public let seconds: Double
  /// nil while nobody knows how long the input is.
  public let totalSeconds: Double?
}

/// What a bounce made.
public struct BounceResult: Sendable {
  public let frames: Int
  public let channels: Int
  /// In hertz.
  public let sampleRate: Double
  public let format: AudioFileFormat
  /// The largest absolute value of a sample; 1 is full scale.
  public let peak: Float
  /// MIDI messages of the file that found no room.
  public let refusedMIDI: Int
}

// Makes small SoundFonts, so that tests need no files from elsewhere.
import Foundation

/// A SoundFont 2.01 file of generated samples; `bytes()` and `write(to:)` serialise it.
///
/// ```swift
/// let font = SoundFontMaker(presets: [
///   .init(bank: 0, program: 0, name: "Click", zones: [.init(sample: .click())]),
///   .init(bank: 128, program: 0, name: "Kit", zones: [
///     .init(sample: .noise(seed: 1), keys: 42...42, exclusiveClass: 1),
///     .init(sample: .noise(seed: 2), keys: 46...46, exclusiveClass: 1),
///   ]),
/// ])
/// ```
///
/// - Thread: [any]
public struct SoundFontMaker: Sendable {
  /// The bank's name (INAM).
  public var name: String
  /// The presets, in file order.
  public var presets: [Preset]

  public init(name: String = "Test", presets: [Preset]) {
    self.name = name
    self.presets = presets
  }

  /// A preset, selected by its bank and program number.
  public struct Preset: Sendable {
    /// 0 to 127, or 128 for percussion.
    public var bank: UInt16
    /// 0 to 127.
    public var program: UInt16
    /// At most 19 characters are kept.
    public var name: String
    /// The zones of its single instrument; all that match a key and velocity sound together.
    public var zones: [Zone]
    /// SoundFont generators (number and amount) of the preset itself, including invalid ones.
    public var generators: [(number: UInt16, amount: UInt16)] = []
    /// Modulators of the preset itself.
    public var modulators: [Modulator] = []

    public init(bank: UInt16 = 0, program: UInt16 = 0, name: String, zones: [Zone]) {
      self.bank = bank
      self.program = program
      self.name = name
      self.zones = zones
    }
  }

  /// A modulator as written in the file, including invalid ones.
  public struct Modulator: Sendable, Hashable {
    public var source: UInt16
    /// A generator.
    public var destination: UInt16
    public var amount: Int16
    public var amountSource: UInt16
    public var transform: UInt16

    public init(
      source: UInt16, destination: UInt16, amount: Int16, amountSource: UInt16 = 0,
      transform: UInt16 = 0
    ) {
      self.source = source
      self.destination = destination
      self.amount = amount
      self.amountSource = amountSource
      self.transform = transform
    }

    /// The modulation wheel, linear from 0 to 1.
    public static let wheel: UInt16 = 0x81
  }

  /// A sample and its playback for some keys and velocities.
  ///
  /// By default the envelope is a gate: full level from the note's first frame until its release.
  public struct Zone: Sendable {
    public var sample: Sample
    public var keys: ClosedRange<UInt8>
    public var velocities: ClosedRange<UInt8>
    /// Seconds from silence to full level; 0 is immediate.
    public var attackSeconds: Double
    /// Seconds from full level to −100 dB after the note-off; 0 is the synth's shortest release.
    public var releaseSeconds: Double
    /// Attenuation in decibels, 0 to 144.
    public var attenuationDecibels: Double
    /// −50 (left) to +50 (right) percent.
    public var panPercent: Double
    /// A note of a class ends other notes of that class; 0 is no class.
    public var exclusiveClass: UInt16
    /// Whether keys change the pitch. If not, every key plays the sample at its own pitch.
    public var tracksKey: Bool
    /// More SoundFont generators (number and amount), including invalid ones, before the sample's.
    public var extraGenerators: [(number: UInt16, amount: UInt16)] = []
    public var modulators: [Modulator] = []

    public init(
      sample: Sample, keys: ClosedRange<UInt8> = 0...127, velocities: ClosedRange<UInt8> = 0...127,
      attackSeconds: Double = 0, releaseSeconds: Double = 0, attenuationDecibels: Double = 0,
      panPercent: Double = 0, exclusiveClass: UInt16 = 0, tracksKey: Bool = true
    ) {
      self.sample = sample
      self.keys = keys
      self.velocities = velocities
      self.attackSeconds = attackSeconds
      self.releaseSeconds = releaseSeconds
      self.attenuationDecibels = attenuationDecibels
      self.panPercent = panPercent
      self.exclusiveClass = exclusiveClass
      self.tracksKey = tracksKey
    }
  }

  /// Writes the file, and returns its address for convenience.
  @discardableResult
  public func write(to url: URL) throws -> URL {
    try Data(bytes()).write(to: url)
    return url
  }
}

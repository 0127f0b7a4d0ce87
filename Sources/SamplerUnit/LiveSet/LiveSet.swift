// A list of sounds to select while playing.

public import SoundFontFiles
import UnitModel

/// One sound of a live set.
public struct LiveSetEntry: Sendable, Hashable {
  /// Number, 0 to 127: the MIDI program change that selects it.
  public var number: Int
  /// Name, unique among the entries.
  public var name: String
  /// The stack of SoundFonts, the lowest first; at least one.
  public var soundFonts: [SoundFontEntry]
  /// Bank of the stack, 0 to 127, or 128 for percussion.
  public var bank: Int
  /// Program, 0 to 127.
  public var program: Int
  /// Values by key path, of the sampler and the stages of its MIDI chain, except `polyphony`,
  /// `synths`, `minimumNoteLength`, `reverb.on` and `chorus.on`.
  public var parameters: [String: Float]

  /// - Thread: [any]
  public init(
    number: Int, name: String, soundFonts: [SoundFontEntry], bank: Int = 0, program: Int = 0,
    parameters: [String: Float] = [:]
  ) {
    self.number = number
    self.name = name
    self.soundFonts = soundFonts
    self.bank = bank
    self.program = program
    self.parameters = parameters
  }
}

/// Numbered sounds that MIDI program changes select, each with SoundFonts, bank, program and
/// settings.
///
/// AUv3: the entries are the unit's factory presets.
public struct LiveSet: Sendable, Hashable {
  public static let numbers = 0...127

  /// The sounds; numbers and names are unique.
  public var entries: [LiveSetEntry]
  /// The MIDI channel whose program changes select entries, 1 to 16; nil for all. They select
  /// before the MIDI chain, and are not passed on.
  public var channel: Int?
  /// Whether all SoundFonts are kept in memory, with a pool of synths for each stack. Then every
  /// entry takes over on the frame of its program change. Otherwise SoundFonts are loaded on
  /// selection.
  public var preloads: Bool

  /// - Thread: [any]
  public init(_ entries: [LiveSetEntry], channel: Int? = nil, preloads: Bool = true) {
    self.entries = entries
    self.channel = channel
    self.preloads = preloads
  }
}

/// The result of selecting an entry.
public enum LiveSetEvent: Sendable, Hashable, CustomStringConvertible {
  /// The entry plays, this many frames after its selection; above 0 it had to be prepared first.
  case began(number: Int, name: String, delayFrames: Int)
  /// Its SoundFonts could not be loaded; the former sound continues.
  case failed(number: Int, name: String, SoundFontError)

  public var description: String {
    switch self {
    case .began(let number, let name, 0): "entry \(number) '\(name)'"
    case .began(let number, let name, let frames):
      "entry \(number) '\(name)', \(frames) frames after it was selected, when it was ready"
    case .failed(let number, let name, let error):
      "entry \(number) '\(name)' cannot be played: \(error)"
    }
  }
}

/// The reason a live set or a selection was refused, with nothing changed.
public enum LiveSetError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Render resources are allocated.
  case rendering
  case numberOutOfRange(Int)
  case numberTwice(Int)
  case nameTwice(String)
  case channelOutOfRange(Int)
  case soundFont(number: Int, SoundFontError)
  case parameter(number: Int, StateError)
  case unknownNumber(Int, known: [Int])
  case unknownName(String, known: [String])
  case notSent(ScheduleError)

  public var description: String {
    switch self {
    case .rendering:
      "render resources are allocated; deallocate them before you set a live set"
    case .numberOutOfRange(let number): "number \(number) of an entry; give 0 to 127"
    case .numberTwice(let number): "two entries have number \(number); give each its own"
    case .nameTwice(let name): "two entries are called '\(name)'; give each a name of its own"
    case .channelOutOfRange(let channel): "channel \(channel); give 1 to 16"
    case .soundFont(let number, let error): "entry \(number): \(error)"
    case .parameter(let number, let error): "entry \(number): \(error)"
    case .unknownNumber(let number, let known):
      "no entry \(number); there is " + known.map(String.init).joined(separator: ", ")
    case .unknownName(let name, let known):
      "no entry '\(name)'; there is " + known.joined(separator: ", ")
    case .notSent(let error): "\(error)"
    }
  }
}

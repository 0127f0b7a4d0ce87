// A list of sounds to select while playing.

import UnitModel

/// One sound of a live set.
public struct LiveSetEntry: Sendable, Hashable {
  /// 0 to 127: the MIDI program change that selects it.
  public var number: Int
  /// Names it among the entries.
  public var name: String
  /// The stack of SoundFonts, the lowest first; at least one.
  public var soundFonts: [SoundFontEntry]
  /// 0 to 127, or 128 for percussion, of the stack.
  public var bank: Int
  /// 0 to 127.
  public var program: Int
  /// Values by key path, of the sampler and of the stages of its MIDI chain, but not `polyphony`,
  /// `synths`, `reverb.on` and `chorus.on`.
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

  /// Numbers and names are unique.
  public var entries: [LiveSetEntry]
  /// The MIDI channel whose program changes select entries, 1 to 16, before the MIDI chain; nil for
  /// all. Those program changes go no further.
  public var channel: Int?
  /// Whether the SoundFonts of all entries are in memory, with a pool of synths for each, so that
  /// every entry takes over on the frame of its program change. Otherwise they are loaded when they
  /// are selected.
  public var preloads: Bool

  /// - Thread: [any]
  public init(_ entries: [LiveSetEntry], channel: Int? = nil, preloads: Bool = true) {
    self.entries = entries
    self.channel = channel
    self.preloads = preloads
  }
}

/// What became of a selected entry.
public enum LiveSetEvent: Sendable, Hashable, CustomStringConvertible {
  /// It plays since this many frames after what selected it; above 0 it had to be made ready first.
  case began(number: Int, name: String, delayFrames: Int)
  /// Its SoundFonts could not be loaded; what played goes on playing.
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

/// Why a live set, or a selection, was refused. Nothing has changed then.
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

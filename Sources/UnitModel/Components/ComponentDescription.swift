// Identification of components, and matching in searches.

/// Type, subtype and manufacturer of a component, or a pattern for a search.
///
/// AUv3: `AudioComponentDescription`.
public struct ComponentDescription: Hashable, Sendable {
  /// The kind of unit: `.effect`, `.instrument`, ….
  public var type: FourCharacterCode
  /// The code of the unit, unique for its manufacturer.
  public var subtype: FourCharacterCode
  /// The manufacturer's code.
  public var manufacturer: FourCharacterCode
  /// The component's abilities.
  public var flags: ComponentFlags
  /// In a search: the flags that are compared.
  public var flagsMask: ComponentFlags

  /// Makes a description. Omitted fields match everything.
  ///
  /// - Thread: [any]
  public init(
    type: FourCharacterCode = .any, subtype: FourCharacterCode = .any,
    manufacturer: FourCharacterCode = .any, flags: ComponentFlags = [],
    flagsMask: ComponentFlags = []
  ) {
    self.type = type
    self.subtype = subtype
    self.manufacturer = manufacturer
    self.flags = flags
    self.flagsMask = flagsMask
  }

  /// Parses a description written as `type/subtype/manufacturer`, such as `aumu/smpl/Aurc`; nil for
  /// other texts. A `*` in place of a code matches everything.
  ///
  /// - Thread: [any]
  public init?(codes: String) {
    let parts = codes.split(separator: "/", omittingEmptySubsequences: false).map {
      $0 == "*" ? FourCharacterCode.any : FourCharacterCode(parsing: String($0))
    }
    guard parts.count == 3, let type = parts[0], let subtype = parts[1], let maker = parts[2]
    else { return nil }
    self.init(type: type, subtype: subtype, manufacturer: maker)
  }

  /// The codes as `type/subtype/manufacturer`, with `*` for codes that match everything.
  ///
  /// - Thread: [any]
  public var codes: String {
    [type, subtype, manufacturer].map { $0 == .any ? "*" : "\($0)" }.joined(separator: "/")
  }

  /// Whether this, as a pattern, matches a component. Codes of 0 match everything, and the
  /// component's flags must equal this one's at the bits of `flagsMask`.
  ///
  /// - Thread: [any]
  public func matches(_ component: ComponentDescription) -> Bool {
    (type == .any || type == component.type)
      && (subtype == .any || subtype == component.subtype)
      && (manufacturer == .any || manufacturer == component.manufacturer)
      && component.flags.intersection(flagsMask) == flags.intersection(flagsMask)
  }

  /// Whether both name the same component; flags are ignored.
  ///
  /// - Thread: [any]
  public func namesSameComponent(as other: ComponentDescription) -> Bool {
    type == other.type && subtype == other.subtype && manufacturer == other.manufacturer
  }
}

extension ComponentDescription: CustomStringConvertible {
  /// - Thread: [any]
  public var description: String { codes }
}

/// The abilities of a component besides its type.
///
/// AUv3: `AudioComponentFlags`, with its raw values.
public struct ComponentFlags: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  /// - Thread: [any]
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Not found by searches unless a search asks for it.
  public static let unsearchable = ComponentFlags(rawValue: 1)
}

/// The unit types of components.
///
/// AUv3: `kAudioUnitType_…`.
extension FourCharacterCode {
  /// Audio in, audio out.
  public static let effect: FourCharacterCode = "aufx"
  /// Audio and MIDI in, audio out.
  public static let musicEffect: FourCharacterCode = "aumf"
  /// MIDI in, audio out.
  public static let instrument: FourCharacterCode = "aumu"
  /// Audio out.
  public static let generator: FourCharacterCode = "augn"
  /// Many audio busses in, some out.
  public static let mixer: FourCharacterCode = "aumx"
  /// MIDI in, MIDI out.
  public static let midiProcessor: FourCharacterCode = "aumi"
  /// Audio in and out of the machine.
  public static let output: FourCharacterCode = "auou"

  /// The name of a unit type; the code itself for other codes.
  var typeName: String {
    switch self {
    case .effect: "Effect"
    case .musicEffect: "Music Effect"
    case .instrument: "Instrument"
    case .generator: "Generator"
    case .mixer: "Mixer"
    case .midiProcessor: "MIDI Processor"
    case .output: "Output"
    default: description
    }
  }
}

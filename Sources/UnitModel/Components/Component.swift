// A registered kind of unit and its factory.

/// A registered component.
///
/// AUv3: `AVAudioUnitComponent`.
public struct Component: Sendable {
  /// Makes a unit of this component.
  public typealias Factory =
    @Sendable (ComponentDescription, InstantiationOptions) throws -> AudioUnit

  /// The codes, all three given, and flags.
  public let description: ComponentDescription
  /// The display name.
  public let name: String
  /// A single lower-case word for configurations, such as `sampler`.
  public let shortName: String
  /// The manufacturer's display name.
  public let manufacturerName: String
  /// The version as 0xMMMMmmpp: major, minor, patch.
  public let version: UInt32
  /// The class of its units; nil if it was not given. Abilities such as `ConfigurableUnit` or
  /// `MIDIChainUnit` are found by it before a unit is made.
  public let unitType: AudioUnit.Type?
  /// Words for searches: the type's name, followed by the given tags. Each occurs once.
  ///
  /// AUv3: `allTagNames`. Tags of the user (`userTagNames`) have no store here.
  public let tags: [String]
  /// Whether its units receive MIDI.
  ///
  /// AUv3: `hasMIDIInput`.
  public let hasMIDIInput: Bool
  /// Whether its units send MIDI.
  ///
  /// AUv3: `hasMIDIOutput`.
  public let hasMIDIOutput: Bool
  let factory: Factory

  /// Describes a component for a registry.
  ///
  /// - Parameters:
  ///   - description: Has all three codes.
  ///   - shortName: One word, unique in a registry.
  ///   - unitType: The class of the units; without it, configurations support only the keys that
  ///     all units have.
  ///   - tags: Words for searches, such as "Reverb", besides the type's name.
  ///   - hasMIDIInput: Whether its units receive MIDI; if nil, derived from the type.
  ///   - hasMIDIOutput: Whether its units send MIDI; if nil, derived from the type.
  ///   - factory: Makes a unit; called on any control thread.
  /// - Thread: [any]
  public init(
    description: ComponentDescription, name: String, shortName: String,
    manufacturerName: String = "Auricle", version: UInt32 = 0x0001_0000,
    unitType: AudioUnit.Type? = nil, tags: [String] = [], hasMIDIInput: Bool? = nil,
    hasMIDIOutput: Bool? = nil, factory: @escaping Factory
  ) {
    self.description = description
    self.name = name
    self.shortName = shortName
    self.manufacturerName = manufacturerName
    self.version = version
    self.unitType = unitType
    let type = description.type
    var known: Set<String> = []
    self.tags = ([type.typeName] + tags).filter { known.insert($0.lowercased()).inserted }
    self.hasMIDIInput =
      hasMIDIInput ?? [.musicEffect, .instrument, .midiProcessor].contains(type)
    self.hasMIDIOutput = hasMIDIOutput ?? (type == .midiProcessor)
    self.factory = factory
  }

  /// Describes a component whose units need no options, with the name in lower case and without
  /// spaces as its short name.
  ///
  /// - Parameters:
  ///   - tags: Words for searches, such as "Reverb", besides the type's name.
  ///   - make: Makes a unit; called on any control thread.
  /// - Thread: [any]
  public init<Unit: AudioUnit>(
    _ type: FourCharacterCode, _ subtype: FourCharacterCode, _ manufacturer: FourCharacterCode,
    name: String, tags: [String] = [],
    make: @escaping @Sendable (ComponentDescription) throws -> Unit
  ) {
    self.init(
      description: ComponentDescription(
        type: type, subtype: subtype, manufacturer: manufacturer),
      name: name, shortName: name.lowercased().filter { $0 != " " }, unitType: Unit.self,
      tags: tags
    ) { description, _ in try make(description) }
  }

  /// The name of the unit type: "Effect", "Instrument", ….
  ///
  /// AUv3: `typeName`, which is "Music Device" for instruments.
  /// - Thread: [any]
  public var typeName: String { description.type.typeName }

  /// Whether one of its tags is `tag`, in any case.
  ///
  /// - Thread: [any]
  public func hasTag(_ tag: String) -> Bool {
    tags.contains { $0.lowercased() == tag.lowercased() }
  }

  /// The version as `major.minor.patch`.
  ///
  /// AUv3: `versionString`.
  /// - Thread: [any]
  public var versionString: String {
    "\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)"
  }
}

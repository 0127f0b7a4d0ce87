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
  let factory: Factory

  /// Describes a component for a registry.
  ///
  /// - Parameters:
  ///   - description: Has all three codes.
  ///   - shortName: One word, unique in a registry.
  ///   - unitType: The class of the units; without it, configurations support only the keys that
  ///     all units have.
  ///   - factory: Makes a unit; called on any control thread.
  /// - Thread: [any]
  public init(
    description: ComponentDescription, name: String, shortName: String,
    manufacturerName: String = "Auricle", version: UInt32 = 0x0001_0000,
    unitType: AudioUnit.Type? = nil, factory: @escaping Factory
  ) {
    self.description = description
    self.name = name
    self.shortName = shortName
    self.manufacturerName = manufacturerName
    self.version = version
    self.unitType = unitType
    self.factory = factory
  }

  /// Describes a component whose units need no options, with the name in lower case and without
  /// spaces as its short name.
  ///
  /// - Parameter make: Makes a unit; called on any control thread.
  /// - Thread: [any]
  public init<Unit: AudioUnit>(
    _ type: FourCharacterCode, _ subtype: FourCharacterCode, _ manufacturer: FourCharacterCode,
    name: String, make: @escaping @Sendable (ComponentDescription) throws -> Unit
  ) {
    self.init(
      description: ComponentDescription(
        type: type, subtype: subtype, manufacturer: manufacturer),
      name: name, shortName: name.lowercased().filter { $0 != " " }, unitType: Unit.self
    ) { description, _ in try make(description) }
  }

  /// The version as `major.minor.patch`.
  ///
  /// AUv3: `versionString`.
  /// - Thread: [any]
  public var versionString: String {
    "\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)"
  }
}

// What a configuration says of one scene.

/// One `[[scene]]`: what units are set to when it is loaded. What it does not name stays as it is.
///
/// - Thread: [any]
public struct SceneConfiguration: Sendable, Equatable {
  /// Whether a unit is bypassed.
  public struct Bypass: Sendable, Equatable {
    public var unit: Located<String>
    public var isOn: Located<Bool>

    public init(unit: Located<String>, isOn: Located<Bool>) {
      (self.unit, self.isOn) = (unit, isOn)
    }
  }

  /// Which entry a unit plays.
  public struct Entry: Sendable, Equatable {
    public var unit: Located<String>
    public var name: Located<String>

    public init(unit: Located<String>, name: Located<String>) {
      (self.unit, self.name) = (unit, name)
    }
  }

  /// How many there may be.
  public static let maximumCount = 128
  /// How many values one may have.
  public static let maximumValueCount = 1024

  public var name: Located<String>
  public var bypasses: [Bypass] = []
  public var entries: [Entry] = []
  /// All connections of the units that it names; nil for those that there are.
  public var connections: [ConnectionConfiguration]?
  /// The key paths begin with a unit's id.
  public var values: [Setting] = []
  /// Where its `[[scene]]` stands.
  @Uncompared public var location: SourcePosition

  public init(name: Located<String>, at location: SourcePosition) {
    (self.name, self.location) = (name, location)
  }

  public var isEmpty: Bool {
    bypasses.isEmpty && entries.isEmpty && connections == nil && values.isEmpty
  }

  /// The ids of the units that it names, but for those of its connections.
  package var unitIDs: Set<String> {
    Set(bypasses.map(\.unit.value) + entries.map(\.unit.value) + values.map(\.unit))
  }
}

extension Setting {
  /// The unit that the key path of a scene's value begins with.
  package var unit: String {
    String(keyPath.value.prefix { $0 != "." })
  }

  /// The key path of a scene's value without the unit.
  package var withoutUnit: Setting {
    Setting(
      keyPath: Located(String(keyPath.value.dropFirst(unit.count + 1)), at: keyPath.location),
      value: value)
  }

  /// The same as a scene has it.
  package func of(_ unit: String) -> Setting {
    Setting(
      keyPath: Located("\(unit).\(keyPath.value)", at: keyPath.location), value: value)
  }
}

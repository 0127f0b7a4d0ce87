// Scenes of a configuration.

/// One `[[scene]]`: settings that apply when it is loaded. Everything else stays unchanged.
///
/// - Thread: [any]
public struct SceneConfiguration: Sendable, Equatable {
  /// A unit's bypass in the scene.
  public struct Bypass: Sendable, Equatable {
    public var unit: Located<String>
    public var isOn: Located<Bool>

    public init(unit: Located<String>, isOn: Located<Bool>) {
      (self.unit, self.isOn) = (unit, isOn)
    }
  }

  /// The entry that the scene selects for a unit.
  public struct Entry: Sendable, Equatable {
    public var unit: Located<String>
    public var name: Located<String>

    public init(unit: Located<String>, name: Located<String>) {
      (self.unit, self.name) = (unit, name)
    }
  }

  /// The maximum number of scenes.
  public static let maximumCount = 128
  /// The maximum number of values of a scene.
  public static let maximumValueCount = 2048

  public var name: Located<String>
  public var bypasses: [Bypass] = []
  public var entries: [Entry] = []
  /// Connections among the named units and to other clients; nil to keep the present ones.
  public var connections: [ConnectionConfiguration]?
  /// Parameter values; the key paths begin with a unit's id.
  public var values: [Setting] = []
  /// The position of its `[[scene]]`.
  @Uncompared public var location: SourcePosition

  public init(name: Located<String>, at location: SourcePosition) {
    (self.name, self.location) = (name, location)
  }

  public var isEmpty: Bool {
    bypasses.isEmpty && entries.isEmpty && connections == nil && values.isEmpty
  }

  /// The ids of the units that it names, without those of its connections.
  package var unitIDs: Set<String> {
    Set(bypasses.map(\.unit.value) + entries.map(\.unit.value) + values.map(\.unit))
  }
}

extension Setting {
  /// The unit that a scene's key path begins with.
  package var unit: String {
    String(keyPath.value.prefix { $0 != "." })
  }

  /// The setting without the unit in its key path.
  package var withoutUnit: Setting {
    Setting(
      keyPath: Located(String(keyPath.value.dropFirst(unit.count + 1)), at: keyPath.location),
      value: value)
  }

  /// Returns the setting with the unit in its key path.
  package func of(_ unit: String) -> Setting {
    Setting(
      keyPath: Located("\(unit).\(keyPath.value)", at: keyPath.location), value: value)
  }
}

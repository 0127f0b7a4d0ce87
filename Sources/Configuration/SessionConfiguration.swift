// The content of a configuration file, checked without knowledge of units.

/// The content of a configuration file: the JACK client, its units and their connections.
///
/// Reading it checks keys, types, ids and number ranges. The session builder checks components,
/// presets, parameters and busses, with the `Located` positions in its errors.
///
/// - Thread: [any]
public struct SessionConfiguration: Sendable, Equatable {
  /// The JACK client's name if `[client]` has none.
  public static let defaultClientName = "auricle"

  /// The newest version that this program reads; also the written version.
  public static let currentVersion = 1

  /// The version of the file's format; nil in most files written by people.
  public var version: Located<Int>?
  /// The JACK client's name; nil if `[client]` has none.
  public var clientName: Located<String>?
  /// The `[osc]` section; nil if there is none.
  public var osc: OSCConfiguration?
  /// The units in the order of the file; at least one, ids unique.
  public var units: [UnitConfiguration]
  /// The connections in the order of the file.
  public var connections: [ConnectionConfiguration]
  /// Mappings from controllers to parameters and triggers, in the order of the file.
  public var mappings: [MappingConfiguration] = []
  /// Scenes to load while the session plays, in the order of the file; names unique.
  public var scenes: [SceneConfiguration] = []

  /// The id of the control unit in connections. No other unit has it.
  public static let controlID = "control"

  /// The ids that connections can name.
  package var endIDs: [String] {
    units.map(\.id.value) + (mappings.isEmpty ? [] : [Self.controlID])
  }
}

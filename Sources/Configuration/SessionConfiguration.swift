// What a configuration file says, checked as far as it can be without knowing any unit.

/// The content of a configuration file: the JACK client, its units and their connections.
///
/// Reading it checks keys, types, ids and number ranges. Whether a component, a preset, a parameter
/// or a bus exists is for the composition to say, which has the `Located` positions for its errors.
///
/// - Thread: [any]
public struct SessionConfiguration: Sendable, Equatable {
  /// The JACK client's name where `[client]` gives none.
  public static let defaultClientName = "auricle"

  /// The newest version that this program reads and the one that it writes.
  public static let currentVersion = 1

  /// What the file says of its own form; none in most that people write.
  public var version: Located<Int>?
  /// The JACK client's name, if `[client]` has one.
  public var clientName: Located<String>?
  /// What `[osc]` says, if there is one.
  public var osc: OSCConfiguration?
  /// The units in the order of the file; at least one, ids unique.
  public var units: [UnitConfiguration]
  /// The connections in the order of the file.
  public var connections: [ConnectionConfiguration]
  /// Which controllers move which parameters, in the order of the file.
  public var mappings: [MappingConfiguration] = []
  /// What can be loaded at once while the session plays, in the order of the file; names unique.
  public var scenes: [SceneConfiguration] = []

  /// What connections call the place where controllers come in. No unit has this id.
  public static let controlID = "control"

  /// What connections can name.
  package var endIDs: [String] {
    units.map(\.id.value) + (mappings.isEmpty ? [] : [Self.controlID])
  }
}

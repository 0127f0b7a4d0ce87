// What a session tells of its scenes.

import Configuration

/// A scene of a session.
public struct SceneReading: Sendable, Hashable, Codable {
  public let name: String
  /// How many parameters it sets.
  public let values: Int
  /// How many units it bypasses or not.
  public let bypasses: Int
  /// How many units it selects entries of.
  public let entries: Int
  /// Whether it has connections.
  public let hasConnections: Bool

  package init(_ scene: SceneConfiguration) {
    name = scene.name.value
    values = scene.values.count
    bypasses = scene.bypasses.count
    entries = scene.entries.count
    hasConnections = scene.connections != nil
  }
}

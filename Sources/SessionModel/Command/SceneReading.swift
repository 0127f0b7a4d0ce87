// Scenes as reported to clients.

import Configuration

/// A scene of a session.
public struct SceneReading: Sendable, Hashable, Codable {
  public let name: String
  /// The number of parameters that it sets.
  public let values: Int
  /// The number of units whose bypass it turns on or off.
  public let bypasses: Int
  /// The number of units whose entry it selects.
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

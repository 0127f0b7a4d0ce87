// Requested connections to other clients.

/// A request to connect a unit's ports to outside ports.
public struct OutsideConnection: Sendable {
  public enum Direction: Sendable {
    case toOutside
    case fromOutside
  }

  /// The outside ports that match.
  public enum Target: Sendable {
    /// The port with this full name.
    case name(String)
    /// The ports whose full names a function accepts.
    case names(@Sendable (String) -> Bool)
    /// The physical ports.
    case physical
  }

  /// The session's ports, without the client's name, in channel order.
  public let ports: [String]
  public let direction: Direction
  public let isMIDI: Bool
  /// The configuration's name of the outside ports, for messages.
  public let pattern: String
  public let target: Target

  public init(
    ports: [String], direction: Direction, isMIDI: Bool, pattern: String, target: Target
  ) {
    self.ports = ports
    self.direction = direction
    self.isMIDI = isMIDI
    self.pattern = pattern
    self.target = target
  }

  /// Whether both request the same session ports and the same outside ports.
  package func isSame(as other: OutsideConnection) -> Bool {
    (ports, pattern) == (other.ports, other.pattern) && direction == other.direction
      && isMIDI == other.isMIDI
  }

  /// Whether an outside port with this full name matches; for a physical target every candidate
  /// does.
  package func matches(_ name: String) -> Bool {
    switch target {
    case .name(let wanted): name == wanted
    case .names(let matches): matches(name)
    case .physical: true
    }
  }
}

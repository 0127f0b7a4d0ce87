// What a session wishes to be connected to other clients.

/// A wish to connect a unit's ports to outside ports.
public struct OutsideConnection: Sendable {
  public enum Direction: Sendable {
    case toOutside
    case fromOutside
  }

  /// Which outside ports are meant.
  public enum Target: Sendable {
    /// One port by its full name.
    case name(String)
    /// Ports by their full names.
    case names(@Sendable (String) -> Bool)
    /// The machine's own.
    case physical
  }

  /// Our ports, without the client's name, in channel order.
  public let ports: [String]
  public let direction: Direction
  public let isMIDI: Bool
  /// What the configuration calls the outside ports, for messages.
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

  /// Whether the same ports of ours are to go to the same ones outside.
  package func isSame(as other: OutsideConnection) -> Bool {
    (ports, pattern) == (other.ports, other.pattern) && direction == other.direction
      && isMIDI == other.isMIDI
  }

  /// Whether a full port name is meant, if it is one of the ports that are asked for.
  package func matches(_ name: String) -> Bool {
    switch target {
    case .name(let wanted): name == wanted
    case .names(let matches): matches(name)
    case .physical: true
    }
  }
}

// The graph of a session.

public import Configuration

/// The units of a session with their ports, and all connections.
public struct GraphReading: Sendable, Hashable, Codable {
  /// The units in the order of the session.
  public var units: [Unit]
  /// The connections inside the session, and those that it requests to other clients.
  public var connections: [Connection]
  /// The connections to ports of other clients that the session does not request: other programs
  /// have made them.
  public var foreign: [Connection]
  /// The ports of the server's other clients, 4,096 at most.
  public var outside: [OutsidePort]

  package init(
    units: [Unit], connections: [Connection], foreign: [Connection] = [],
    outside: [OutsidePort] = []
  ) {
    (self.units, self.connections) = (units, connections)
    (self.foreign, self.outside) = (foreign, outside)
  }

  /// A port of another client.
  public struct OutsidePort: Sendable, Hashable, Codable {
    /// The full name, `client:port`, an end of a connection.
    public var name: String
    public var isMIDI: Bool
    /// Whether it is an input.
    public var isInput: Bool

    package init(name: String, isMIDI: Bool, isInput: Bool) {
      (self.name, self.isMIDI, self.isInput) = (name, isMIDI, isInput)
    }
  }

  /// A unit of the graph.
  public struct Unit: Sendable, Hashable, Codable {
    public var id: String
    /// The component's short name, or its codes; `control` for the control unit.
    public var component: String
    public var inputs: [Bus]
    public var outputs: [Bus]
    public var takesMIDI: Bool
    public var sendsMIDI: Bool
    /// Ports at the server; empty if the server is not running.
    public var ports: [PortStatus]
    /// The place that the user has chosen for its box; nil if none.
    public var place: BoxPosition?

    package init(
      id: String, component: String, inputs: [Bus], outputs: [Bus], takesMIDI: Bool,
      sendsMIDI: Bool, ports: [PortStatus], place: BoxPosition? = nil
    ) {
      (self.id, self.component, self.inputs, self.outputs) = (id, component, inputs, outputs)
      (self.takesMIDI, self.sendsMIDI, self.ports) = (takesMIDI, sendsMIDI, ports)
      self.place = place
    }
  }

  /// An audio bus of a unit.
  public struct Bus: Sendable, Hashable, Codable {
    public var name: String
    /// The bus as an end of a connection: `piano:1`.
    public var end: String
    public var channels: Int

    package init(name: String, end: String, channels: Int) {
      (self.name, self.end, self.channels) = (name, end, channels)
    }
  }

  /// A connection, with ends as `disconnect` accepts them.
  public struct Connection: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Codable {
      case audio, midi
      /// Parameters that a controller moves: made by `map`, not by `connect`.
      case parameters
    }

    public var from: String
    public var to: String
    public var kind: Kind

    package init(from: String, to: String, kind: Kind) {
      (self.from, self.to, self.kind) = (from, to, kind)
    }
  }
}

// A configuration turned into units and connections.

import Configuration
import ControlUnit
import Graph

/// A wish of the configuration to connect a unit to ports of other clients.
public struct RequestedConnection: Sendable {
  public let unit: Int
  /// The audio bus; nil means the unit's MIDI.
  public let bus: Int?
  public let direction: OutsideConnection.Direction
  public let pattern: PortPattern
  /// Where the pattern was written.
  public let location: SourcePosition
}

/// The units of a configuration in a graph, ready to be compiled for a backend.
public struct SessionPlan {
  public package(set) var graph: Graph
  public let clientName: String
  public package(set) var wishes: [RequestedConnection]
  /// What has left the session and is still heard.
  package var ringing: [RingingUnit] = []
  /// What controllers move.
  var controlMappings: [ControlMapping] = []
  /// Where the session listens to OSC; nil for nowhere.
  public var osc: OSCConfiguration?
  /// The files that the units were made of.
  public var sources: [SourceFile] = []
  /// What the units were made of, and where it was.
  public package(set) var origin: SessionOrigin
  /// The session's file, where that says something else than what the units were made of.
  package var base: SessionConfiguration?
  /// Whether the units are as a recovery has them, and no file yet.
  package var isRecovered = false
  /// What is another file than when the session was saved.
  let remarks: [String]

  /// The session as it is now.
  ///
  /// - Thread: [control]
  public var document: SessionDocument {
    SessionDocument(origin, units: units)
  }

  /// The wishes with the names of the ports that the compiled graph has.
  package func connections(for ports: GraphPorts) -> [OutsideConnection] {
    wishes.map { wish in
      let candidates: [GraphPort]
      switch (wish.bus, wish.direction) {
      case (nil, .toOutside): candidates = ports.midiOutputs
      case (nil, .fromOutside): candidates = ports.midiInputs
      case (_?, .toOutside): candidates = ports.audioOutputs
      case (_?, .fromOutside): candidates = ports.audioInputs
      }
      let pattern = wish.pattern
      return OutsideConnection(
        ports: candidates.filter { $0.unitIndex == wish.unit && $0.channel?.bus == wish.bus }
          .map(\.name),
        direction: wish.direction, isMIDI: wish.bus == nil, pattern: pattern.text,
        target: pattern.physical != nil
          ? .physical : pattern.isWild ? .names { pattern.matches($0) } : .name(pattern.text))
    }
  }
}

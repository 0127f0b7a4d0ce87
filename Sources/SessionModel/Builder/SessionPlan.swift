// The units and connections made from a configuration.

import Configuration
import ControlUnit
import Graph

/// A requested connection of a unit to ports of other clients.
public struct RequestedConnection: Sendable {
  public let unit: Int
  /// The audio bus; nil for the unit's MIDI.
  public let bus: Int?
  public let direction: OutsideConnection.Direction
  public let pattern: PortPattern
  /// The position of the pattern.
  public let location: SourcePosition
}

/// The units of a configuration in a graph, ready to be compiled for a backend.
public struct SessionPlan {
  public package(set) var graph: Graph
  public let clientName: String
  public package(set) var requests: [RequestedConnection]
  /// Removed units whose tails are still heard.
  package var ringing: [RingingUnit] = []
  /// Mappings from controllers to parameters and triggers.
  var controlMappings: [ControlMapping] = []
  /// The `[osc]` settings; nil if the session does not listen to OSC.
  public var osc: OSCConfiguration?
  /// The files that the session was made from: the configuration, and files of units.
  public var sources: [SourceFile] = []
  /// The configuration that the units were made from, and its file.
  public package(set) var origin: SessionOrigin
  /// The session's file, if it differs from the configuration of the units; nil otherwise.
  package var base: SessionConfiguration?
  /// Whether the units were made from a recovery and saved in no file yet.
  package var isRecovered = false
  /// Remarks on files that have changed since the session was saved.
  let remarks: [String]

  /// The present state of the session, as a document.
  ///
  /// - Thread: [control]
  public var document: SessionDocument {
    SessionDocument(origin, units: units)
  }

  /// Returns the requested connections with the port names of the compiled graph.
  package func connections(for ports: GraphPorts) -> [OutsideConnection] {
    requests.map { request in
      let candidates: [GraphPort]
      switch (request.bus, request.direction) {
      case (nil, .toOutside): candidates = ports.midiOutputs
      case (nil, .fromOutside): candidates = ports.midiInputs
      case (_?, .toOutside): candidates = ports.audioOutputs
      case (_?, .fromOutside): candidates = ports.audioInputs
      }
      let pattern = request.pattern
      return OutsideConnection(
        ports: candidates.filter { $0.unitIndex == request.unit && $0.channel?.bus == request.bus }
          .map(\.name),
        direction: request.direction, isMIDI: request.bus == nil, pattern: pattern.text,
        target: pattern.physical != nil
          ? .physical : pattern.isWild ? .names { pattern.matches($0) } : .name(pattern.text))
    }
  }
}

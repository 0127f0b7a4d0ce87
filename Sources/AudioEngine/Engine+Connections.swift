// Connections of an engine, for the program.

public import UnitModel

/// A connection between two units of an engine.
///
/// AUv3: `AVAudioConnectionPoint`.
/// - Thread: [any]
public struct EngineConnection: Sendable {
  public let source: AudioUnit
  /// The output, from 0 on; nil for MIDI.
  public let bus: Int?
  public let destination: AudioUnit
  /// The input, from 0 on; nil for MIDI.
  public let input: Int?
}

extension Engine {
  /// The connections between units, audible or not, including those that other clients have made in
  /// the session.
  ///
  /// AUv3: `outputConnectionPoints(for:outputBus:)` of all nodes.
  public var connections: [EngineConnection] {
    let graph = state.withLock { $0.graph }
    return graph.links.compactMap { link in
      guard let from = link.from.unit.flatMap(graph.node), let to = link.to.unit.flatMap(graph.node)
      else { return nil }
      return EngineConnection(
        source: from.unit, bus: link.from.bus, destination: to.unit, input: link.to.bus)
    }
  }
}

extension EngineGraph.End {
  fileprivate var bus: Int? {
    guard case .bus(_, let bus) = self else { return nil }
    return bus
  }
}

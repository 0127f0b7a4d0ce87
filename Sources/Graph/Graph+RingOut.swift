// Units that have left a graph and are still heard.

extension Graph {
  /// Another graph with the same units and connections.
  /// - Thread: [control]
  public convenience init(copying other: Graph) {
    self.init(following: other)
    copy(other)
  }

  /// Keeps a unit of another graph that only rings out: it takes nothing any more, neither audio
  /// nor MIDI nor parameters, what is held there ends, and its audio is heard where it was.
  ///
  /// - Parameters:
  ///   - node: one of `former` that this graph does not have.
  ///   - former: the graph that is rendered.
  /// - Throws: `duplicateUnit`, `sameUnit`.
  /// - Thread: [control]
  public func ringOut(_ node: Node, of former: Graph) throws(GraphError) {
    let unit = try keep(node)
    guard let place = former.nodes.firstIndex(where: { $0.identity == node.identity }) else {
      return
    }
    silence(unit)
    let description = former.description
    for bus in node.unit.outputBusses.busses.indices {
      let from = GraphBus(unit: place, bus: bus)
      if description.hasOutputPorts(from) { try exposeOutput(GraphBus(unit: unit, bus: bus)) }
      for connection in description.edges.audio where connection.from == from {
        let identity = former.nodes[connection.to.unit].identity
        guard let receiver = nodes.firstIndex(where: { $0.identity == identity }) else { continue }
        try connect(
          GraphBus(unit: unit, bus: bus), to: GraphBus(unit: receiver, bus: connection.to.bus))
      }
    }
  }
}

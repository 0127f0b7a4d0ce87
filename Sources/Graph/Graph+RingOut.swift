// Removed units that ring out.

extension Graph {
  /// Makes a copy with the same units and connections.
  /// - Thread: [control]
  public convenience init(copying other: Graph) {
    self.init(following: other)
    copy(other)
  }

  /// Keeps a removed unit while its tail rings out. The unit receives no audio, MIDI or parameter
  /// events, and its held notes end. Its audio outputs stay connected.
  ///
  /// - Parameters:
  ///   - node: a node of `former` that this graph does not have.
  ///   - former: the graph that is rendered.
  /// - Throws: `duplicateUnit`, `sameUnit`.
  /// - Thread: [control]
  public func ringOut(_ node: Node, of former: Graph) throws(GraphError) {
    let unit = try keep(node)
    guard let index = former.nodes.firstIndex(where: { $0.identity == node.identity }) else {
      return
    }
    silence(unit)
    let description = former.description
    for bus in node.unit.outputBusses.busses.indices {
      let from = GraphBus(unit: index, bus: bus)
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

// Open inputs in a passage between two graphs.

/// The open inputs of units of two graphs, during the passage from the first to the second.
struct OpenInputs {
  /// The nodes of the second graph, with additional inputs from the first one.
  private(set) var widened: [GraphDescription.Node]
  /// These nodes with the first graph's channel counts of the inputs.
  private(set) var former: [GraphDescription.Node]
  /// Inputs connected in both graphs, with different channel counts.
  private(set) var changed: Set<GraphBus> = []

  /// - Parameters:
  ///   - old: the nodes of the first graph.
  ///   - places: the indices of these in `nodes`.
  ///   - nodes: the nodes of the second graph, followed by those that only the first one has.
  init(
    _ old: [GraphDescription.Node], at places: [Int], in nodes: [GraphDescription.Node]
  ) {
    (widened, former) = (nodes, nodes)
    for (node, place) in zip(old, places) where node.inputs.contains(where: \.isOpen) {
      let missing = node.inputs.dropFirst(widened[place].inputs.count)
      widened[place].inputs += missing
      former[place].inputs += missing
      for (bus, was) in node.inputs.enumerated() where was.channelCount > 0 {
        let count = widened[place].inputs[bus].channelCount
        former[place].inputs[bus].channelCount = was.channelCount
        if count == 0 {
          widened[place].inputs[bus].channelCount = was.channelCount
        } else if count != was.channelCount {
          changed.insert(GraphBus(unit: place, bus: bus))
        }
      }
    }
  }
}

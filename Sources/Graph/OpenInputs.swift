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
  ///   - indices: the indices of these in `nodes`.
  ///   - nodes: the nodes of the second graph, followed by those that only the first one has.
  init(
    _ old: [GraphDescription.Node], at indices: [Int], in nodes: [GraphDescription.Node]
  ) {
    (widened, former) = (nodes, nodes)
    for (node, index) in zip(old, indices) where node.inputs.contains(where: \.isOpen) {
      let missing = node.inputs.dropFirst(widened[index].inputs.count)
      widened[index].inputs += missing
      former[index].inputs += missing
      for (bus, was) in node.inputs.enumerated() where was.channelCount > 0 {
        let count = widened[index].inputs[bus].channelCount
        former[index].inputs[bus].channelCount = was.channelCount
        if count == 0 {
          widened[index].inputs[bus].channelCount = was.channelCount
        } else if count != was.channelCount {
          changed.insert(GraphBus(unit: index, bus: bus))
        }
      }
    }
  }
}

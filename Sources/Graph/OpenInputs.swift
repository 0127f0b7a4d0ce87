// Inputs that come and go on the way from one graph to another.

/// What the open inputs of units that are in two graphs have on the way from one to the other.
struct OpenInputs {
  /// The nodes of the second graph, with the inputs of the first one beside theirs.
  private(set) var widened: [GraphDescription.Node]
  /// The same with the channels that the inputs had.
  private(set) var former: [GraphDescription.Node]
  /// Those that are fed in both graphs, with another number of channels in each.
  private(set) var changed: Set<GraphBus> = []

  /// - Parameters:
  ///   - old: the nodes of the first graph.
  ///   - places: where these are among `nodes`.
  ///   - nodes: the nodes of the second graph, and behind them those that only the first one has.
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

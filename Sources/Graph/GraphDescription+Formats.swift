// How the units of a graph agree on channel counts.

extension GraphDescription {
  /// The same with the channel counts on which the busses agree, unit for unit in the order of
  /// rendering: an input takes the count of what is connected to it, and an effect's output follows
  /// its input. An open input that nothing feeds has none. What a bus does not take stays, and is
  /// judged when the connection is bound.
  func agreed(_ order: [Int]) -> GraphDescription {
    var agreed = self
    for index in order {
      for bus in nodes[index].inputs.indices {
        if let ports = nodes[index].inputs[bus].portChannelCount {
          agreed.nodes[index].inputs[bus].channelCount =
            isFed(GraphBus(unit: index, bus: bus)) ? ports : 0
        }
        let counts = edges.audio.filter { $0.to == GraphBus(unit: index, bus: bus) }.map {
          agreed.nodes[$0.from.unit].outputs[$0.from.bus].channelCount
        }
        if let count = counts.max() { agreed.nodes[index].inputs[bus].take(count) }
      }
      agreed.nodes[index].followInputs()
    }
    return agreed
  }

  private func isFed(_ bus: GraphBus) -> Bool {
    hasInputPorts(bus) || edges.audio.contains { $0.to == bus }
  }
}

extension GraphDescription.Bus {
  fileprivate mutating func take(_ channels: Int) {
    if takes(channels) { channelCount = channels }
  }
}

extension GraphDescription.Node {
  /// Has the unit agree to no other channels than it has.
  mutating func keepChannels() {
    for bus in inputs.indices where !inputs[bus].isOpen {
      inputs[bus].supportedChannelCounts = [inputs[bus].channelCount]
    }
    for bus in outputs.indices {
      outputs[bus].supportedChannelCounts = [outputs[bus].channelCount]
    }
  }

  /// A unit that wants as many channels out as in gets them.
  fileprivate mutating func followInputs() {
    guard let input = inputs.first, let output = outputs.first, let capabilities,
      !capabilities.contains(where: {
        $0.allows(inputs: [input.channelCount], outputs: [output.channelCount])
      })
    else { return }
    outputs[0].take(input.channelCount)
  }
}

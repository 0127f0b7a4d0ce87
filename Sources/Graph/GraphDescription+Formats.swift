// Negotiating channel counts between units.

extension GraphDescription {
  /// Returns the graph with negotiated channel counts, unit by unit in rendering order. An input
  /// takes the largest count connected to it, and an effect's output follows its input. An
  /// unconnected open input has no channels. A bus keeps its count if it does not support the new
  /// one; binding the connection then reports the mismatch.
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
  /// Restricts the unit to its current channel counts.
  mutating func keepChannels() {
    for bus in inputs.indices where !inputs[bus].isOpen {
      inputs[bus].supportedChannelCounts = [inputs[bus].channelCount]
    }
    for bus in outputs.indices {
      outputs[bus].supportedChannelCounts = [outputs[bus].channelCount]
    }
  }

  /// Gives a unit that needs equal input and output counts its input's count.
  fileprivate mutating func followInputs() {
    guard let input = inputs.first, let output = outputs.first, let capabilities,
      !capabilities.contains(where: {
        $0.allows(inputs: [input.channelCount], outputs: [output.channelCount])
      })
    else { return }
    outputs[0].take(input.channelCount)
  }
}

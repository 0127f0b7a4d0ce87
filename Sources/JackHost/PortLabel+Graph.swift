// Labels of a graph's ports.

import Graph
import JackBackend
import UnitModel

extension JackConnection {
  /// Labels the session's ports, for other programs to show.
  func label(_ ports: GraphPorts, _ graph: Graph) {
    backend.label(PortLabel.labels(of: ports, graph.nodes))
  }
}

extension PortLabel {
  /// Returns the labels of a graph's ports, by the ports' names.
  ///
  /// - Parameter nodes: the units of the graph, whose busses may have changed their names.
  /// - Thread: [control]
  package static func labels(of ports: GraphPorts, _ nodes: [Graph.Node]) -> [String: PortLabel] {
    var labels: [String: PortLabel] = [:]
    var numbers = Array(repeating: 0, count: nodes.count)
    func add(_ list: [GraphPort], isInput: Bool) {
      var channels: [GraphBus: Int] = [:]
      for port in list { channels[port.bus, default: 0] += 1 }
      for port in list where nodes.indices.contains(port.unitIndex) {
        let unit = nodes[port.unitIndex].unit
        let count = port.channel == nil ? 1 : channels[port.bus] ?? 1
        let busses = isInput ? unit.inputBusses.busses : unit.outputBusses.busses
        let bus = port.channel.map { name(of: $0.bus, in: busses, isInput: isInput) }
        let words = [port.unitID, bus ?? (isInput ? "MIDI In" : "MIDI Out")]
        // Room for the order of each unit's ports, so that it stays when other units change.
        labels[port.name] = PortLabel(
          formerName: port.formerName,
          prettyName: (words + suffix(of: port.channel?.channel ?? 0, count)).joined(
            separator: " "),
          order: port.unitIndex * 10_000 + numbers[port.unitIndex],
          group: count > 1 ? "\(port.unitID) \(isInput ? "in" : "out") \(port.bus.bus + 1)" : nil,
          isAudio: port.channel != nil)
        numbers[port.unitIndex] += 1
      }
    }
    add(ports.midiInputs, isInput: true)
    add(ports.audioInputs, isInput: true)
    add(ports.audioOutputs, isInput: false)
    add(ports.midiOutputs, isInput: false)
    return labels
  }

  private static func name(of index: Int, in busses: [Bus], isInput: Bool) -> String {
    let name = busses.indices.contains(index) ? busses[index].name : ""
    if !name.isEmpty { return name }
    return (isInput ? "Input" : "Output") + (busses.count > 1 ? " \(index + 1)" : "")
  }

  /// The word for a channel: none of a single one, L and R of two, otherwise the number.
  private static func suffix(of channel: Int, _ count: Int) -> [String] {
    switch count {
    case 1: []
    case 2: [channel == 0 ? "L" : "R"]
    default: ["\(channel + 1)"]
    }
  }
}

extension GraphPort {
  fileprivate var bus: GraphBus { GraphBus(unit: unitIndex, bus: channel?.bus ?? 0) }
}

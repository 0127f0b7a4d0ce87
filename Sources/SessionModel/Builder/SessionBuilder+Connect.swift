// Connections of a configuration: between units, and to other clients.

import Configuration
import Graph
import UnitModel

extension SessionBuilder {
  /// The part of the graph that one end of a connection refers to.
  enum Terminal {
    case audio(GraphBus)
    case midi(unit: Int)
    case outside(PortPattern)
  }

  /// Makes connections between units; returns those to other clients as requests.
  ///
  /// - Throws: the first problem; the graph may have some of the connections by then.
  func connect(
    _ connections: [ConnectionConfiguration], in graph: Graph
  ) throws(ConfigurationProblem) -> [RequestedConnection] {
    let former = Graph(copying: graph)
    let requests = try connectUnchecked(connections, in: graph)
    guard let reason = chainProblem(of: graph) else { return requests }
    // The cause is the last connection without which this problem would not occur.
    var location = connections.last?.location ?? .command
    for place in connections.indices.reversed() {
      let others = Graph(copying: former)
      var rest = connections
      rest.remove(at: place)
      _ = try connectUnchecked(rest, in: others)
      guard chainProblem(of: others) == reason else {
        location = connections[place].location
        break
      }
    }
    throw ConfigurationProblem(reason, at: location)
  }

  /// Makes connections without checking the effect chains of time effects.
  private func connectUnchecked(
    _ connections: [ConnectionConfiguration], in graph: Graph
  ) throws(ConfigurationProblem) -> [RequestedConnection] {
    graph.checksChainsAtOnce = false
    defer { graph.checksChainsAtOnce = true }
    var requests: [RequestedConnection] = []
    for connection in connections {
      if let request = try connect(connection, in: graph) { requests.append(request) }
    }
    return requests
  }

  private func chainProblem(of graph: Graph) -> String? {
    do throws(GraphError) { try graph.checkChains() } catch { return error.description }
    return nil
  }

  /// Makes a connection between units; returns one to another client as a request.
  func connect(
    _ connection: ConnectionConfiguration, in graph: Graph
  ) throws(ConfigurationProblem) -> RequestedConnection? {
    let (from, to) = try terminals(of: connection, in: graph)
    let location = connection.location
    switch (from, to) {
    case (.audio(let source), .audio(let destination)):
      try located(location) { () throws(GraphError) in try graph.connect(source, to: destination) }
      return nil
    case (.midi(let source), .midi(let destination)):
      try located(location) { () throws(GraphError) in
        try graph.connectMIDI(from: source, to: destination)
      }
      return nil
    case (.midi(let unit), .outside(let pattern)) where pattern.physical == .outputs:
      throw isAudio(pattern, graph.nodes[unit].unit.outputBusses, at: location)
    case (.outside(let pattern), .midi(let unit)) where pattern.physical == .inputs:
      throw isAudio(pattern, graph.nodes[unit].unit.inputBusses, at: location)
    case (.audio(let bus), .outside(let pattern)):
      try located(location) { () throws(GraphError) in try graph.exposeOutput(bus) }
      return RequestedConnection(
        unit: bus.unit, bus: bus.bus, direction: .toOutside, pattern: pattern,
        location: connection.to.location)
    case (.midi(let unit), .outside(let pattern)):
      try located(location) { () throws(GraphError) in try graph.exposeMIDIOutput(unit) }
      return RequestedConnection(
        unit: unit, bus: nil, direction: .toOutside, pattern: pattern,
        location: connection.to.location)
    case (.outside(let pattern), .audio(let bus)):
      try located(location) { () throws(GraphError) in try graph.exposeInput(bus) }
      return RequestedConnection(
        unit: bus.unit, bus: bus.bus, direction: .fromOutside, pattern: pattern,
        location: connection.from.location)
    case (.outside(let pattern), .midi(let unit)):
      try located(location) { () throws(GraphError) in try graph.exposeMIDIInput(unit) }
      return RequestedConnection(
        unit: unit, bus: nil, direction: .fromOutside, pattern: pattern,
        location: connection.from.location)
    case (.outside, .outside):
      throw ConfigurationProblem(
        "both ends are outside ports",
        accepted: "a unit at one end at least; connect other clients with jack_connect",
        at: location)
    case (.audio, .midi), (.midi, .audio):
      throw ConfigurationProblem(
        "one end is audio, the other MIDI", accepted: "two ends of one kind", at: location)
    }
  }

  /// Resolves the two ends of a connection.
  func terminals(
    of connection: ConnectionConfiguration, in graph: Graph
  ) throws(ConfigurationProblem) -> (Terminal, Terminal) {
    // If one end says that it is MIDI, an end without a bus is MIDI too.
    let saysMIDI = connection.from.value.saysMIDI || connection.to.value.saysMIDI
    return (
      try terminal(connection.from, isSource: true, saysMIDI: saysMIDI, in: graph),
      try terminal(connection.to, isSource: false, saysMIDI: saysMIDI, in: graph)
    )
  }

  private func terminal(
    _ endpoint: Located<Endpoint>, isSource: Bool, saysMIDI: Bool, in graph: Graph
  ) throws(ConfigurationProblem) -> Terminal {
    switch endpoint.value {
    case .outside(let pattern):
      return .outside(pattern)
    case .unit(let id, let reference):
      let unit = try located(endpoint.location) { () throws(GraphError) in
        try graph.index(of: id)
      }
      let busses =
        isSource ? graph.nodes[unit].unit.outputBusses : graph.nodes[unit].unit.inputBusses
      let known = isSource ? busses.busses : graph.inputs(of: unit)
      switch reference {
      case nil:
        // A unit without audio in this direction can only mean its MIDI.
        return saysMIDI || known.isEmpty
          ? .midi(unit: unit) : .audio(GraphBus(unit: unit, bus: 0))
      case .index(let index):
        guard index < busses.mostCount else {
          // Configurations count busses from 1, the graph from 0.
          throw ConfigurationProblem(
            "unit '\(id)' has no \(isSource ? "output" : "input") bus \(index + 1)",
            accepted: words(for: busses, of: graph.nodes[unit].unit, isSource: isSource)
              .joined(separator: ", "), at: endpoint.location)
        }
        return .audio(GraphBus(unit: unit, bus: index))
      case .name("midi"):
        return .midi(unit: unit)
      case .name(let name):
        let isDefault = name == (isSource ? "out" : "in")
        let found =
          known.firstIndex { $0.defaultName.lowercased() == name.lowercased() }
          ?? (isDefault && !known.isEmpty ? 0 : nil)
        guard let found else {
          throw .unknown(
            "bus", name, in: "unit '\(id)'",
            accepted: known.map(\.defaultName).filter { !$0.isEmpty }
              + words(for: busses, of: graph.nodes[unit].unit, isSource: isSource),
            at: endpoint.location)
        }
        return .audio(GraphBus(unit: unit, bus: found))
      }
    }
  }

  /// Returns the error for a name of audio ports that is connected to a unit's MIDI.
  private func isAudio(
    _ pattern: PortPattern, _ busses: BusArray, at location: SourcePosition
  ) -> ConfigurationProblem {
    ConfigurationProblem(
      "'\(pattern)' is audio, the other end MIDI",
      accepted: "'physical:midi'" + (busses.count > 0 ? ", or a bus with audio" : ""), at: location)
  }

  /// Returns the accepted texts after a unit's colon other than names: numbers from 1, and `midi`
  /// if the unit has MIDI.
  private func words(for busses: BusArray, of unit: AudioUnit, isSource: Bool) -> [String] {
    let count = busses.mostCount
    let numbers = count > 4 ? ["1 to \(count)"] : (0..<count).map { "\($0 + 1)" }
    let hasMIDI = isSource ? !unit.midiOutputNames.isEmpty : unit.virtualMIDICableCount > 0
    return numbers + (hasMIDI ? ["midi"] : [])
  }
}

extension BusArray {
  /// The number of busses that a configuration can address; the maximum of an open array.
  fileprivate var mostCount: Int { isOpen ? maximumBusCount : count }
}

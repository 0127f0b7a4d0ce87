// Differences between two states of a graph.

import GraphRender
import UnitRender

/// Parts of a graph that are being added or removed. Indices are those of the graph that contains
/// both states.
struct GraphChanges: Sendable, Equatable {
  typealias Fade = ScheduleStep.Fade

  var audio: [GraphConnection<GraphBus>: Fade] = [:]
  var inputPorts: [GraphBus: Fade] = [:]
  var outputPorts: [GraphBus: Fade] = [:]
  var endingMIDI: Set<GraphConnection<Int>> = []
  var endingParameters: Set<GraphConnection<Int>> = []
  /// Units whose MIDI ports are being removed.
  var endingMIDIInputs: Set<Int> = []
  var endingMIDIOutputs: Set<Int> = []
  /// Units without input before: their inputs fade in from the first frame.
  var filling: Set<Int> = []
  /// The frame on which all other changes start: after the latencies of the filling units, and
  /// after new delay lines have filled.
  var turn = 0
}

/// An intermediate graph between two graphs; units of both keep their indices.
struct GraphPassage: Sendable {
  let description: GraphDescription
  let changes: GraphChanges
  /// The delays; nil if there are none.
  let delays: DelayChange?
}

extension GraphDescription {
  /// The busses and units that have ports.
  struct Ports: Sendable, Equatable {
    var inputs: Set<GraphBus> = []
    var outputs: Set<GraphBus> = []
    var midiInputs: Set<Int> = []
    var midiOutputs: Set<Int> = []
  }

  /// Returns the passages to another graph, in order; empty if nothing changes. Usually there is
  /// one, which fades removed parts out and added ones in. There are two if both together would
  /// form a cycle or feed another unit with a time effect's source, or if an open input gets
  /// another channel count.
  ///
  /// The channel counts of both graphs are negotiated. Units of both have the same counts in both,
  /// except for their open inputs.
  func passages(to next: GraphDescription) -> [GraphPassage] {
    let known = Dictionary(uniqueKeysWithValues: next.nodes.enumerated().map { ($1.identity, $0) })
    var nodes = next.nodes
    var indices: [Int] = []
    for node in self.nodes {
      indices.append(known[node.identity] ?? nodes.count)
      if known[node.identity] == nil { nodes.append(node) }
    }
    let inputs = OpenInputs(self.nodes, at: indices, in: nodes)
    nodes = inputs.widened
    let (old, new) = (edges.moved(to: indices), next.edges)
    let (oldPorts, newPorts) = (allPorts.moved(to: indices), next.allPorts)
    var going = GraphChanges()
    let changed = inputs.changed
    going.audio = Self.fading(
      old.audio, unlike: new.audio.filter { !changed.contains($0.to) }, .falling)
    going.inputPorts = Self.fading(
      oldPorts.inputs, unlike: newPorts.inputs.subtracting(changed), .falling)
    going.outputPorts = Self.fading(oldPorts.outputs, unlike: newPorts.outputs, .falling)
    going.endingMIDI = Set(old.midi).subtracting(new.midi)
    going.endingParameters = Set(old.parameters).subtracting(new.parameters)
    going.endingMIDIInputs = oldPorts.midiInputs.subtracting(newPorts.midiInputs)
    // At an added or removed unit only its outputs fade: a signal is never faded twice.
    let both = Set(indices.filter { $0 < next.nodes.count })
    going.keepInputs(of: both)
    going.endingMIDIOutputs = oldPorts.midiOutputs.subtracting(newPorts.midiOutputs)
    var coming = GraphChanges()
    coming.audio = Self.fading(
      new.audio, unlike: old.audio.filter { !changed.contains($0.to) }, .rising)
    coming.inputPorts = Self.fading(
      newPorts.inputs, unlike: oldPorts.inputs.subtracting(changed), .rising)
    coming.outputPorts = Self.fading(newPorts.outputs, unlike: oldPorts.outputs, .rising)
    coming.keepInputs(of: both)
    coming.fill(next, old, oldPorts, both)
    let (oldDelays, newDelays) = (delays, next.delays)
    let before = (oldDelays ?? PathDelays(noneOf: self.nodes.count)).moved(
      to: indices, among: nodes.count)
    let after = (newDelays ?? PathDelays(noneOf: next.nodes.count)).moved(
      to: Array(next.nodes.indices), among: nodes.count)
    let hasDelays = oldDelays != nil || newDelays != nil
    coming.turn = next.turn(before, after, coming, both, old, oldPorts)
    func passage(
      _ nodes: [Node], _ edges: GraphEdges, _ ports: Ports, _ changes: GraphChanges,
      _ after: PathDelays
    ) -> GraphPassage {
      var description = GraphDescription(nodes: nodes, edges: edges, ports: ports)
      description.findChains()
      return GraphPassage(
        description: description, changes: changes,
        delays: hasDelays ? DelayChange(before: before, after: after) : nil)
    }
    let isSame =
      both.count == nodes.count && Set(old.audio) == Set(new.audio)
      && Set(old.midi) == Set(new.midi) && Set(old.parameters) == Set(new.parameters)
      && oldPorts == newPorts && before.arrivals == after.arrivals
      && before.departures == after.departures
    if isSame { return [] }
    let all = new.adding(old)
    let together = passage(
      nodes, all, oldPorts.union(newPorts), going.merging(coming), after)
    guard changed.isEmpty, all.isAcyclic(nodes.indices), together.description.hasWholeChains else {
      return [
        passage(inputs.former, old, oldPorts, going, before),
        passage(nodes, new, newPorts, coming, after),
      ]
    }
    return [together]
  }

  private static func fading<Edge: Hashable>(
    _ edges: some Sequence<Edge>, unlike others: some Sequence<Edge>, _ fade: GraphChanges.Fade
  ) -> [Edge: GraphChanges.Fade] {
    Dictionary(uniqueKeysWithValues: Set(edges).subtracting(others).map { ($0, fade) })
  }

  /// Returns the frame on which the passage from another graph to this one crosses over.
  ///
  /// - Parameters:
  ///   - before: the delays of the former graph; `after` those of this one.
  ///   - coming: the added parts.
  ///   - both: the units that are in both graphs.
  ///   - old: the former connections; `oldPorts` the former ports.
  fileprivate func turn(
    _ before: PathDelays, _ after: PathDelays, _ coming: GraphChanges, _ both: Set<Int>,
    _ old: GraphEdges, _ oldPorts: Ports
  ) -> Int {
    let (known, ports) = (Set(old.audio), allPorts)
    /// The frame from which a filling unit's output is complete, by unit.
    var ready: [Int: Int] = [:]
    var turn = 0
    func line(_ former: Int?, _ wait: Int, isKnown: Bool) -> Int {
      // A reused line holds the earlier samples.
      guard isKnown, let former else { return wait }
      let capacity = AlignmentDelay.capacity(for: wait)
      return former > 0 && AlignmentDelay.capacity(for: former) == capacity || former == wait
        ? 0 : wait
    }
    for unit in edges.renderingOrder(nodes.indices) {
      let fills = coming.filling.contains(unit)
      // The output of a unit of both graphs is already heard; it rises with the input.
      let rise = fills && !both.contains(unit) ? ScheduleStep.fadeFrames : 0
      var filled = 0
      for connection in edges.audio where connection.to.unit == unit {
        let source = connection.from.unit
        let wait = line(
          before.wait(from: source, to: unit), after.wait(from: source, to: unit) ?? 0,
          isKnown: known.contains(connection))
        let risen = coming.audio[connection] == nil ? 0 : rise
        filled = max(filled, (ready[source] ?? 0) + wait + risen)
      }
      for bus in ports.inputs where bus.unit == unit {
        let wait = line(
          before.waitAtPorts(of: unit), after.waitAtPorts(of: unit) ?? 0,
          isKnown: oldPorts.inputs.contains(bus))
        filled = max(filled, wait + rise)
      }
      if fills {
        ready[unit] = filled + nodes[unit].latencyFrames
      } else {
        turn = max(turn, filled)
      }
      if fills, ports.outputs.contains(where: { $0.unit == unit }) {
        turn = max(turn, ready[unit]!)
      }
    }
    return turn
  }

  fileprivate var allPorts: Ports {
    var ports = Ports()
    for (unit, node) in nodes.enumerated() {
      ports.inputs.formUnion(
        node.inputs.indices.map { GraphBus(unit: unit, bus: $0) }.filter(hasInputPorts))
      ports.outputs.formUnion(
        node.outputs.indices.map { GraphBus(unit: unit, bus: $0) }.filter(hasOutputPorts))
      if hasMIDIInputPort(unit) { ports.midiInputs.insert(unit) }
      if hasMIDIOutputPort(unit) { ports.midiOutputs.insert(unit) }
    }
    return ports
  }
}

extension GraphBus {
  fileprivate func moved(to indices: [Int]) -> GraphBus { GraphBus(unit: indices[unit], bus: bus) }
}

extension GraphDescription.Ports {
  fileprivate func moved(to indices: [Int]) -> Self {
    Self(
      inputs: Set(inputs.map { $0.moved(to: indices) }),
      outputs: Set(outputs.map { $0.moved(to: indices) }),
      midiInputs: Set(midiInputs.map { indices[$0] }),
      midiOutputs: Set(midiOutputs.map { indices[$0] }))
  }

  fileprivate func union(_ others: Self) -> Self {
    Self(
      inputs: inputs.union(others.inputs), outputs: outputs.union(others.outputs),
      midiInputs: midiInputs.union(others.midiInputs),
      midiOutputs: midiOutputs.union(others.midiOutputs))
  }
}

extension GraphChanges {
  fileprivate mutating func keepInputs(of units: Set<Int>) {
    audio = audio.filter { units.contains($0.key.to.unit) }
    inputPorts = inputPorts.filter { units.contains($0.key.unit) }
    endingMIDI = endingMIDI.filter { units.contains($0.to) }
  }

  /// Finds the units without input in the former graph, and fades in their inputs from other units.
  ///
  /// - Parameters:
  ///   - old: the former connections; `ports` the former ports.
  ///   - both: the units that are in both graphs.
  fileprivate mutating func fill(
    _ next: GraphDescription, _ old: GraphEdges, _ ports: GraphDescription.Ports, _ both: Set<Int>
  ) {
    let newPorts = next.allPorts
    let heard = Set(old.audio.map(\.to.unit) + ports.inputs.map(\.unit)).intersection(both)
    let hearing = Set(next.edges.audio.map(\.to.unit) + newPorts.inputs.map(\.unit))
    let fed = hearing.subtracting(heard)
    filling = Set(next.nodes.indices).subtracting(both).union(fed)
    // Connections between filling units need no fade: their signal has already faded in.
    for connection in next.edges.audio
    where filling.contains(connection.to.unit) && !fed.contains(connection.from.unit) {
      audio[connection] = .rising
    }
    for bus in newPorts.inputs where filling.contains(bus.unit) { inputPorts[bus] = .rising }
  }

  fileprivate func merging(_ others: GraphChanges) -> GraphChanges {
    var merged = self
    merged.audio.merge(others.audio) { first, _ in first }
    merged.inputPorts.merge(others.inputPorts) { first, _ in first }
    merged.outputPorts.merge(others.outputPorts) { first, _ in first }
    merged.filling = others.filling
    merged.turn = others.turn
    return merged
  }
}

extension GraphEdges {
  /// Returns the connections with other unit indices, without exposed ports.
  fileprivate func moved(to indices: [Int]) -> GraphEdges {
    GraphEdges(
      audio: audio.map {
        GraphConnection(from: $0.from.moved(to: indices), to: $0.to.moved(to: indices))
      }, midi: midi.map { GraphConnection(from: indices[$0.from], to: indices[$0.to]) },
      parameters: parameters.map { GraphConnection(from: indices[$0.from], to: indices[$0.to]) })
  }

  fileprivate func adding(_ others: GraphEdges) -> GraphEdges {
    var all = self
    all.audio += others.audio.filter { !audio.contains($0) }
    all.midi += others.midi.filter { !midi.contains($0) }
    all.parameters += others.parameters.filter { !parameters.contains($0) }
    return all
  }

  /// Whether no unit needs its own output.
  fileprivate func isAcyclic(_ units: Range<Int>) -> Bool {
    renderingOrder(units).count == units.count
  }
}

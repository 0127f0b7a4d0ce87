// State, graph and load for those who watch them.

import Configuration
import ControlUnit
import Graph
import GraphRender
import SessionModel
import UnitModel

/// The topics that a watch has last reported.
struct ReportedTopics {
  /// The inputs of a graph reading, to find changes.
  struct GraphKey: Equatable {
    let graph: ObjectIdentifier
    let rendered: ObjectIdentifier?
    let client: String
    let links: Set<HostLink>
    /// The ones of `links` that the session does not request.
    let foreign: Set<HostLink>
    let outside: [GraphReading.OutsidePort]
    let places: [String: BoxPosition]
  }

  var session: SessionReading?
  var graph: GraphKey?
  var lastLoad: ContinuousClock.Instant?
}

extension JackSession {
  /// Sends the topics that have changed to the clients that watch them. Called twenty times a
  /// second.
  func reportTopics() {
    let watches = watches.compactMap(\.watch).filter { !$0.topics.isEmpty }
    if watches.contains(where: { $0.topics.contains(.session) }) {
      let reading = sessionReading
      for watch in watches { watch.report(reading) }
    }
    if watches.contains(where: { $0.topics.contains(.graph) }) {
      let links = host?.links ?? []
      let key = ReportedTopics.GraphKey(
        graph: ObjectIdentifier(plan.graph), rendered: host?.compiled.map { ObjectIdentifier($0) },
        client: clientName, links: Set(links),
        foreign: Set(links.filter { host?.isRequested($0) == false }),
        outside: host?.outsidePorts ?? [], places: places)
      let late = watches.filter { $0.topics.contains(.graph) && $0.isBehind(key) }
      if !late.isEmpty {
        let reading = graphReading(links, key)
        for watch in late { watch.report(reading, key) }
      }
    }
    let due = watches.filter { $0.topics.contains(.load) && $0.takesLoad(at: time.now) }
    if !due.isEmpty, let reading = loadReading { for watch in due { watch.report(reading) } }
  }

  private var sessionReading: SessionReading {
    let configuration = store.origin.configuration
    let osc = remotes.flatMap(\.places)
    return SessionReading(
      file: store.file?.path, isDirty: isDirty, missing: missing,
      units: plan.units.map { UnitReading($0.unit, id: $0.id) },
      scenes: configuration.scenes.map(\.name.value),
      mappings: configuration.mappings.map { MappingReading($0) },
      changes: history.journal.changeCount, osc: osc.isEmpty ? nil : osc)
  }

  /// The places that the user has chosen for the boxes of units, by their ids.
  private var places: [String: BoxPosition] {
    store.origin.configuration.units.reduce(into: [:]) { $0[$1.id.value] = $1.place?.value }
  }

  private func graphReading(
    _ links: [HostLink], _ key: ReportedTopics.GraphKey
  ) -> GraphReading {
    let links = Dictionary(grouping: links, by: \.own)
    let foreign = Dictionary(grouping: key.foreign, by: \.own)
    let graph = plan.graph
    let units = graph.nodes.enumerated().map { index, node in
      let reading = UnitReading(node.unit, id: node.id)
      func busses(_ busses: [Bus]) -> [GraphReading.Bus] {
        busses.enumerated().map { number, bus in
          GraphReading.Bus(
            name: bus.name, end: "\(node.id):\(number + 1)", channels: bus.format.channelCount)
        }
      }
      return GraphReading.Unit(
        id: node.id, component: reading.component, inputs: busses(graph.inputs(of: index)),
        outputs: busses(node.unit.outputBusses.busses),
        takesMIDI: node.unit.virtualMIDICableCount > 0,
        sendsMIDI: !node.unit.midiOutputNames.isEmpty,
        ports: host?.compiled.map { Self.ports(of: index, $0.ports, links) } ?? [],
        place: key.places[node.id])
    }
    return GraphReading(
      units: units, connections: graph.readings + plan.requestReadings,
      foreign: units.flatMap { $0.connections(foreign) }, outside: host?.outsidePorts ?? [])
  }

  private var loadReading: LoadReading? {
    guard let host else { return nil }
    let rendered = host.compiled
    let statistics = host.statistics
    var units: [String: LoadReading.Unit] = [:]
    if let rendered, let measurement = meters.measurement(of: rendered, now: time.now) {
      for (node, measured) in zip(plan.graph.nodes, measurement.units) {
        units[node.id] = LoadReading.Unit(
          load: measured.load(frames: measurement.frames, sampleRate: rendered.sampleRate),
          worstLoad: measured.worstLoad)
      }
    }
    return LoadReading(
      load: host.load, xruns: statistics.xruns, frame: Int64(statistics.frame),
      sampleRate: host.serverSampleRate, period: host.serverPeriod, units: units)
  }
}

extension GraphReading.Unit {
  /// Returns those of its connections that are among `links`, by own ports.
  fileprivate func connections(_ links: [String: [HostLink]]) -> [GraphReading.Connection] {
    var known: Set<GraphReading.Connection> = []
    return ports.flatMap { port in
      let own = port.bus.map { "\(id):\($0 + 1)" } ?? "\(id):midi"
      return (links[port.name] ?? []).map(\.outside).sorted().map {
        GraphReading.Connection(
          from: port.isInput ? $0 : own, to: port.isInput ? own : $0,
          kind: port.isMIDI ? .midi : .audio)
      }
    }
    .filter { known.insert($0).inserted }
  }
}

extension Graph {
  /// The connections between units, with ends as in configurations.
  fileprivate var readings: [GraphReading.Connection] {
    let (audio, midi, parameters) = connectedUnits
    func id(_ unit: Int) -> String { nodes[unit].id }
    func end(_ bus: GraphBus) -> String { "\(id(bus.unit)):\(bus.bus + 1)" }
    return audio.map {
      GraphReading.Connection(from: end($0.from), to: end($0.to), kind: .audio)
    }
      + midi.map {
        GraphReading.Connection(from: "\(id($0.from)):midi", to: "\(id($0.to)):midi", kind: .midi)
      }
      + parameters.map {
        GraphReading.Connection(from: id($0.from), to: id($0.to), kind: .parameters)
      }
  }
}

extension SessionPlan {
  /// The requested connections to other clients.
  fileprivate var requestReadings: [GraphReading.Connection] {
    requests.map { request in
      let id = graph.nodes[request.unit].id
      let own = request.bus.map { "\(id):\($0 + 1)" } ?? "\(id):midi"
      let ends =
        request.direction == .toOutside ? (own, request.pattern.text) : (request.pattern.text, own)
      return GraphReading.Connection(
        from: ends.0, to: ends.1, kind: request.bus == nil ? .midi : .audio)
    }
  }
}

// Which units a session has, and how they are connected.

import Configuration
import ControlUnit
import Graph
import Synchronization
import UnitModel

/// The units of a session, their connections, what controllers move of them, and the scenes.
struct SessionStructure: Sendable {
  struct Unit: Sendable {
    let configuration: UnitConfiguration
    let unit: AudioUnit
    /// Whether it comes back, with the channels that its busses had.
    var keepsChannels = false
  }

  var units: [Unit]
  var connections: [ConnectionConfiguration]
  var mappings: [MappingConfiguration]
  var scenes: [SceneConfiguration]

  /// - Parameter configuration: that of the session, which has all but the units.
  init(units: [Unit], of configuration: SessionConfiguration) {
    self.units = units
    (connections, mappings) = (configuration.connections, configuration.mappings)
    scenes = configuration.scenes
  }

  init(
    units: [Unit], connections: [ConnectionConfiguration], mappings: [MappingConfiguration],
    scenes: [SceneConfiguration]
  ) {
    self.units = units
    (self.connections, self.mappings) = (connections, mappings)
    self.scenes = scenes
  }

  /// That of a session which runs; nil where it has units that its configuration does not know.
  init?(_ configuration: SessionConfiguration, _ running: [(id: String, unit: AudioUnit)]) {
    let known = Dictionary(running.map { ($0.id, $0.unit) }) { first, _ in first }
    units = configuration.units.compactMap { configured in
      known[configured.id.value].map { Unit(configuration: configured, unit: $0) }
    }
    (connections, mappings) = (configuration.connections, configuration.mappings)
    scenes = configuration.scenes
    if units.count != running.count || units.count != configuration.units.count { return nil }
  }

  /// The same for units that have gone and come back, with the channels that they had.
  var comingBack: SessionStructure {
    var again = self
    again.units = units.map {
      Unit(
        configuration: $0.configuration, unit: $0.unit,
        keepsChannels: $0.keepsChannels || $0.unit.hasBeenAllocated)
    }
    return again
  }
}

/// A structure that a running session is to get.
final class SessionEdit: Sendable {
  let structure: SessionStructure
  /// The ids of units that go and ring out.
  let ringingOut: Set<String>
  /// Where it begins; nil for at once.
  let frame: Int64?
  /// What is to be done before it, once nothing is wrong with it.
  let others: (@Sendable () throws -> Void)?
  private let answer: Mutex<(@Sendable (Result<Int64?, any Error>) -> Void)?>

  init(
    _ structure: SessionStructure, ringingOut: Set<String>, frame: Int64?,
    with others: (@Sendable () throws -> Void)?,
    _ answer: @escaping @Sendable (Result<Int64?, any Error>) -> Void
  ) {
    self.structure = structure
    self.ringingOut = ringingOut
    self.frame = frame
    self.others = others
    self.answer = Mutex(answer)
  }

  /// An edit that nobody has carried out was refused.
  deinit {
    answer.withLock { $0 }?(.failure(SessionCommandError("the session ends")))
  }

  /// - Parameter result: the frame on which the change began; nil where nothing renders.
  func finish(_ result: Result<Int64?, any Error>) { answer.withLock { $0.take() }?(result) }
}

/// The way of changes of structure to the thread that runs a session.
package final class SessionEditor: Sendable {
  private struct State {
    var units: [(id: String, unit: AudioUnit)]
    var send: (@Sendable (SessionEdit) -> Void)?
    var sendErrand: (@Sendable (ProgramErrand) -> Void)?
    /// What has come before the session was run.
    var early: [ProgramErrand]? = []
  }

  private let state: Mutex<State>
  let mixing = SessionMixing()

  init(_ units: [(id: String, unit: AudioUnit)]) { state = Mutex(State(units: units)) }

  /// The units as they are now.
  var units: [(id: String, unit: AudioUnit)] { state.withLock { $0.units } }

  func setUnits(_ units: [(id: String, unit: AudioUnit)]) { state.withLock { $0.units = units } }

  func open(
    _ send: @escaping @Sendable (SessionEdit) -> Void,
    errands: @escaping @Sendable (ProgramErrand) -> Void
  ) {
    let early = state.withLock { state in
      (state.send, state.sendErrand) = (send, errands)
      defer { state.early = nil }
      return state.early ?? []
    }
    for errand in early { errands(errand) }
  }

  /// What has not been carried out is refused.
  func close() { state.withLock { ($0.send, $0.sendErrand) = (nil, nil) } }

  /// One that comes before the session is run waits for that.
  func send(_ errand: ProgramErrand) {
    let send = state.withLock { state in
      state.early?.append(errand)
      return state.sendErrand
    }
    send?(errand)
  }

  /// Gives the session another structure, and waits until what goes has faded, or rings out.
  ///
  /// - Parameters:
  ///   - ringingOut: the ids of units that go and ring out.
  ///   - frame: where it begins, which is near; nil for at once.
  ///   - others: what is to be done before it, once nothing is wrong with it.
  /// - Returns: the frame on which the change began; nil where nothing renders.
  /// - Throws: what is wrong with it; nothing has changed then.
  ///
  /// Whoever calls it holds the claim of the structure.
  @discardableResult
  func edit(
    _ structure: SessionStructure, ringingOut: Set<String> = [], frame: Int64? = nil,
    with others: (@Sendable () throws -> Void)? = nil
  ) async throws -> Int64? {
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Int64?, any Error>) in
      let edit = SessionEdit(
        structure, ringingOut: ringingOut, frame: frame, with: others
      ) {
        done.resume(with: $0)
      }
      state.withLock { $0.send }?(edit)
    }
  }
}

extension SessionEditor {
  /// Finds what is wrong with a structure for the session as it is, and changes nothing.
  func check(_ structure: SessionStructure) async throws {
    struct IsFine: Error {}
    do { try await edit(structure) { throw IsFine() } } catch is IsFine {}
  }
}

extension SessionPlan {
  /// Those that a configuration names.
  package var units: [(id: String, unit: AudioUnit)] {
    graph.nodes.filter { !($0.unit is ControlUnit) }.map { ($0.id, $0.unit) }
  }

  /// The plan of another structure of the session.
  ///
  /// - Parameter listens: whether controllers come in even if nothing is mapped, from all MIDI
  ///   devices where nothing else is connected for them.
  /// - Throws: what is wrong with it, at its place.
  func following(
    _ structure: SessionStructure, listens: Bool = false
  ) throws(ConfigurationProblem) -> SessionPlan {
    let builder = SessionBuilder(registry: origin.registry, environment: origin.environment)
    let known = Dictionary(
      (self.graph.nodes + ringing.map(\.node)).map { (ObjectIdentifier($0.unit), $0) }
    ) { first, _ in first }
    let graph = Graph(following: graph)
    // What is only looked at, or refused, leaves units as they are that play.
    graph.opensInputsAtOnce = false
    for unit in structure.units {
      let id = unit.configuration.id
      _ = try builder.located(id.location) { () throws(GraphError) in
        if let node = known[ObjectIdentifier(unit.unit)], node.id == id.value {
          try graph.keep(node)
        } else {
          try graph.add(unit.unit, id: id.value, keepsChannels: unit.keepsChannels)
        }
      }
    }
    try builder.addControl(
      for: structure.mappings, to: graph, keeping: controlNode, listens: listens)
    var plan = self
    plan.graph = graph
    plan.wishes = try builder.connect(structure.connections, in: graph)
    let hasSource = structure.connections.contains {
      $0.to.value.unit == SessionConfiguration.controlID
    }
    if listens, !hasSource, let wish = try builder.connect(.toControl, in: graph) {
      plan.wishes.append(wish)
    }
    plan.controlMappings = try builder.map(structure.mappings, structure.scenes, in: graph)
    return plan
  }
}

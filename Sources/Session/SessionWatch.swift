// Watches of parameters.

import SessionModel
import Synchronization
import UnitModel

/// Observers of parameters, below paths of several units, that report each change, and of the
/// bypasses of whole units. `end` removes them.
///
/// They also observe a unit's new tree when its tree is replaced, and units that are added.
final class SessionWatch: Sendable {
  typealias Handler = @Sendable (SessionNotice) -> Void

  private struct Observed: @unchecked Sendable {
    let unit: AudioUnit
    let node: ParameterNode
    let token: ObserverToken
  }

  private struct State {
    var observed: [Observed] = []
    var trees: [(unit: AudioUnit, token: ObserverToken)] = []
    var hasEnded = false
  }

  private let state = Mutex(State())
  private let paths: [SessionPath]
  /// Whether all units are watched.
  private let coversAll: Bool
  /// The ids of the units whose levels are reported.
  let meters: Set<String>
  let topics: Set<SessionCommand.WatchTopic>
  /// The ids of the units whose MIDI is reported.
  let midi: Set<String>
  /// The ids of the units whose spectra are reported.
  let spectra: Set<String>
  /// The ids of the units in `spectra` whose frames are reported too.
  let scopes: Set<String>
  private let reported = Mutex(ReportedTopics())
  private let notify: Handler

  /// - Parameter paths: paths of a session's units, `*` for all. Other paths report nothing.
  /// - Thread: [control]
  init(
    _ paths: [String], meters: [String], topics: [SessionCommand.WatchTopic] = [],
    midi: [String] = [], spectra: [String] = [], scopes: [String] = [],
    of units: [(id: String, unit: AudioUnit)], notify: @escaping Handler
  ) {
    (self.meters, self.topics) = (Set(meters), Set(topics))
    (self.midi, self.scopes) = (Set(midi), Set(scopes))
    self.spectra = Set(spectra + scopes)
    coversAll = paths.contains(SessionCommand.allUnits)
    var known: Set<SessionPath> = []
    self.paths = paths.map { SessionPath($0) }.filter { known.insert($0).inserted }
    self.notify = notify
    follow(units, reportsNew: false)
  }

  /// Continues with the current units of the session.
  ///
  /// - Parameter reportsNew: whether the values of added units are reported.
  /// - Thread: [control]
  func follow(_ units: [(id: String, unit: AudioUnit)], reportsNew: Bool = true) {
    let known = state.withLock { state in
      state.trees.map(\.unit)
    }
    for unit in known where !units.contains(where: { $0.unit === unit }) { leave(unit) }
    for (id, unit) in units where coversAll || paths.contains(where: { $0.unit == id }) {
      if known.contains(where: { $0 === unit }) { continue }
      let token = unit.token(byAddingPropertyObserver: { [weak self, weak unit] property in
        guard let self, let unit else { return }
        switch property {
        case .parameterTree: observe(unit, id)
        case .shouldBypassEffect: reportBypass(of: unit, id)
        default: break
        }
      })
      let isIn = state.withLock { state in
        if !state.hasEnded { state.trees.append((unit, token)) }
        return !state.hasEnded
      }
      guard isIn else { return unit.removePropertyObserver(token) }
      observe(unit, id)
      reportBypass(of: unit, id)
      if reportsNew { reportAll(of: unit, id) }
    }
  }

  /// Reports the levels of the units in `meters`.
  /// - Thread: [control]
  func report(_ reading: MeterReading) {
    var reading = reading
    if !meters.contains(SessionCommand.allUnits) {
      reading.units = reading.units.filter { meters.contains($0.key) }
    }
    notify(.meters(reading))
  }

  /// Whether the MIDI of a unit is reported.
  func watchesMIDI(of id: String) -> Bool {
    midi.contains(SessionCommand.allUnits) || midi.contains(id)
  }

  /// Reports the MIDI of the units in `midi`.
  /// - Thread: [control]
  func report(_ reading: MIDIReading) {
    var reading = reading
    reading.units = reading.units.filter { watchesMIDI(of: $0.key) }
    if !reading.units.isEmpty { notify(.midi(reading)) }
  }

  /// Reports the spectra of the units in `spectra`.
  /// - Thread: [control]
  func report(_ reading: SpectrumReading) {
    var reading = reading
    reading.units = reading.units.filter { spectra.contains($0.key) }
    for id in reading.units.keys where !scopes.contains(id) { reading.units[id]?.wave = nil }
    if !reading.units.isEmpty { notify(.spectra(reading)) }
  }

  /// Reports the state of the session if it has changed.
  /// - Thread: [control]
  func report(_ reading: SessionReading) {
    guard topics.contains(.session) else { return }
    let isNew = reported.withLock { reported in
      defer { reported.session = reading }
      return reported.session != reading
    }
    if isNew { notify(.session(reading)) }
  }

  /// Whether the graph has changed since it was reported.
  func isBehind(_ key: ReportedTopics.GraphKey) -> Bool {
    reported.withLock { $0.graph != key }
  }

  /// Reports the graph.
  /// - Thread: [control]
  func report(_ reading: GraphReading, _ key: ReportedTopics.GraphKey) {
    reported.withLock { $0.graph = key }
    notify(.graph(reading))
  }

  /// Whether the load has not been reported for a second.
  func takesLoad(at now: ContinuousClock.Instant) -> Bool {
    reported.withLock { reported in
      if let last = reported.lastLoad, now - last < .seconds(1) { return false }
      reported.lastLoad = now
      return true
    }
  }

  /// Reports the load.
  /// - Thread: [control]
  func report(_ reading: LoadReading) { notify(.load(reading)) }

  /// - Thread: [any]
  func end() {
    let (observed, trees) = state.withLock { state in
      defer { state = State(hasEnded: true) }
      return (state.observed, state.trees)
    }
    for one in observed { one.node.removeParameterObserver(one.token) }
    for (unit, token) in trees { unit.removePropertyObserver(token) }
  }

  private func leave(_ unit: AudioUnit) {
    let (observed, trees) = state.withLock { state in
      defer {
        state.observed.removeAll { $0.unit === unit }
        state.trees.removeAll { $0.unit === unit }
      }
      return (state.observed.filter { $0.unit === unit }, state.trees.filter { $0.unit === unit })
    }
    for one in observed { one.node.removeParameterObserver(one.token) }
    for (unit, token) in trees { unit.removePropertyObserver(token) }
  }

  private func reportAll(of unit: AudioUnit, _ id: String) {
    for node in nodes(of: unit, id) {
      for parameter in node.parameters { notify(.change(ParameterReading(parameter, of: id))) }
    }
  }

  private func reportBypass(of unit: AudioUnit, _ id: String) {
    guard coversAll || paths.contains(SessionPath(unit: id, keyPath: nil)) else { return }
    notify(.bypass(BypassReading(unit: id, on: unit.shouldBypassEffect)))
  }

  /// Returns the watched nodes of a unit.
  private func nodes(of unit: AudioUnit, _ id: String) -> [ParameterNode] {
    let tree = unit.parameterTree
    if coversAll { return [tree] }
    return paths.filter { $0.unit == id }.compactMap { path in
      path.keyPath.map { tree.node(keyPath: $0) } ?? tree
    }
  }

  /// Observes the current tree of a unit, and no former one.
  private func observe(_ unit: AudioUnit, _ id: String) {
    let tree = unit.parameterTree
    let new = nodes(of: unit, id).map { node in
      Observed(
        unit: unit, node: node,
        token: node.token(byAddingParameterObserver: { [weak tree, notify] address, value in
          guard let parameter = tree?.parameter(address: address) else { return }
          notify(.change(ParameterReading(parameter, of: id, value: value)))
        }))
    }
    let old = state.withLock { state in
      if state.hasEnded { return new }
      let old = state.observed.filter { $0.unit === unit }
      state.observed.removeAll { $0.unit === unit }
      state.observed += new
      return old
    }
    for one in old { one.node.removeParameterObserver(one.token) }
  }
}

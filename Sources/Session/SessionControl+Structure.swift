// Units and connections of a running session: add and remove.

import Configuration
import SessionModel
import UnitModel

extension SessionControl {
  /// Executes commands that change units, connections and mappings: all of them, or none.
  ///
  /// - Parameter frame: the frame at which they take effect; nil for the next cycle.
  func restructure(
    _ commands: [SessionCommand], frame: Int64? = nil
  ) throws(SessionCommandError) -> Outcome {
    guard let store else { throw Self.isFixed }
    if let frame {
      try EditFrame.check(frame, now: status().frame, sampleRate: sampleRate)
    }
    let kinds = store.origin.registry.configurableUnits
    let ends = ConnectionEnds(units: units)
    var changes: [StructureChange] = []
    for (number, command) in commands.enumerated() {
      do throws(SessionCommandError) {
        if let change = try Self.change(command, kinds, ends) { changes.append(change) }
      } catch { throw SessionCommandError(error, of: commands.count > 1 ? number + 1 : nil) }
    }
    return try restructure(changes, frame: frame)
  }

  static let isFixed = SessionCommandError(
    "units of this session cannot change: it was made by a program")

  /// Makes changes together: all of them, or none.
  func restructure(
    _ changes: [StructureChange], frame: Int64? = nil
  ) throws(SessionCommandError) -> Outcome {
    guard let editor, let store else { throw Self.isFixed }
    let (maker, clock, late, time) = (maker, clock, late, time)
    @Sendable func change(_ given: [String: AudioUnit]) async throws -> SessionAnswer {
      try await late.holding(Claims([.structure])) {
        try await editor.make(changes, given, at: frame, store, maker)
      }
    }
    guard let frame else {
      return later(changes.text, changes.claims) {
        // Mistakes are reported before anything is loaded.
        var tried = store.origin.configuration
        _ = try changes.make(&tried)
        return try await change(store.makeUnits(of: changes))
      }
    }
    return later("\(changes.text) on frame \(frame)", Claims([.frame(frame)])) {
      let given = try await store.makeUnits(of: changes)
      try await EditFrame.wait(until: frame, clock, time)
      return try await late.holding(changes.claims) { try await change(given) }
    }
  }

  /// Returns the change of a command; nil for a command without one.
  static func change(
    _ command: SessionCommand, _ kinds: [Component],
    _ ends: ConnectionEnds
  ) throws(SessionCommandError) -> StructureChange? {
    switch command {
    case .connect(let from, let to): connect(from, to, ends)
    case .disconnect(let from, let to): disconnect(from, to, ends)
    case .add(let id, let component, let settings):
      add(id, component, settings, kinds, replaces: false)
    case .replace(let id, let component, let settings):
      add(id, component, settings, kinds, replaces: true)
    case .remove(let id, let ringsOut): remove(id, ringsOut: ringsOut)
    case .place(let id, let place): self.place(id, place)
    case .map(let path, let settings): try map(path, settings)
    case .unmap(let path): unmap(path)
    default: nil
    }
  }

  private static func connect(
    _ from: String, _ to: String, _ ends: ConnectionEnds
  ) -> StructureChange {
    StructureChange(
      text: "\(from) connected to \(to)", path: from, units: [unitID(from), unitID(to)]
    ) { configuration in
      let connection = try connection(from, to, in: configuration)
      if configuration.connections.contains(where: {
        connection == $0 || $0.isMeant(by: connection) || ends.areSame($0, connection)
      }) {
        throw SessionCommandError("\(quoted(from)) is connected to \(quoted(to)) already")
      }
      configuration.connections.append(connection)
      return []
    }
  }

  private static func disconnect(
    _ from: String, _ to: String, _ ends: ConnectionEnds
  ) -> StructureChange {
    StructureChange(
      text: "\(from) disconnected from \(to)", path: from, units: [unitID(from), unitID(to)]
    ) { configuration in
      let connection = try connection(from, to, in: configuration)
      let connections = configuration.connections
      guard
        let place = connections.firstIndex(of: connection)
          ?? connections.firstIndex(where: { $0.isMeant(by: connection) })
          ?? connections.firstIndex(where: { ends.areSame($0, connection) })
      else {
        throw SessionCommandError(
          "\(quoted(from)) is not connected to \(quoted(to))",
          accepted: configuration.connections.map { "\($0.from.value.text) \($0.to.value.text)" })
      }
      configuration.connections.remove(at: place)
      return []
    }
  }

  private static func place(_ id: String, _ place: BoxPosition?) -> StructureChange {
    let verb = place == nil ? "not placed" : "placed"
    return StructureChange(text: "\(id): \(verb)", path: id, units: [id]) { configuration in
      guard let index = configuration.units.firstIndex(where: { $0.id.value == id }) else {
        throw unknown(id, configuration)
      }
      configuration.units[index].place = place.map { Located($0, at: .command) }
      return []
    }
  }

  /// - Parameter settings: keys as in `[[unit]]`, with their values as TOML or as plain texts.
  private static func add(
    _ id: String, _ component: String, _ settings: [String],
    _ kinds: [Component], replaces: Bool
  ) -> StructureChange {
    let verb = replaces ? "replaced by \(component)" : "added"
    let read = Result { try unit(id, component, settings, kinds) }
    return StructureChange(
      text: "\(id): \(verb)", path: id, brings: try? read.get(), units: [id], takesAway: replaces
    ) { configuration in
      let unit = try read.get()
      let index = configuration.units.firstIndex { $0.id.value == id }
      switch (index, replaces) {
      case (let index?, true):
        let former = configuration.units[index]
        configuration.units[index] = unit
        configuration.units[index].place = unit.place ?? former.place
      case (nil, false): configuration.units.append(unit)
      case (_?, false):
        throw SessionCommandError(
          "there is a unit \(quoted(id)) already",
          accepted: "another name, or: auricle ctl replace")
      case (nil, true): throw unknown(id, configuration)
      }
      return [id]
    }
  }

  private static func remove(_ id: String, ringsOut: Bool) -> StructureChange {
    StructureChange(
      text: "\(id): removed", path: id, ringsOut: ringsOut ? id : nil, units: [id],
      takesAway: true
    ) { configuration in
      guard configuration.units.contains(where: { $0.id.value == id }) else {
        throw unknown(id, configuration)
      }
      guard configuration.units.count > 1 else {
        throw SessionCommandError("\(quoted(id)) is the only unit", accepted: "auricle ctl replace")
      }
      configuration.removeUnit(id)
      return []
    }
  }

  /// Returns the unit's id at the start of a connection's end.
  private static func unitID(_ end: String) -> String {
    String(end.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
  }

  private static func unknown(
    _ id: String, _ configuration: SessionConfiguration
  ) -> SessionCommandError {
    .unknown("unit", id, in: "this session", accepted: configuration.units.map(\.id.value))
  }

  private static func connection(
    _ from: String, _ to: String, in configuration: SessionConfiguration
  ) throws(ConfigurationProblem) -> ConnectionConfiguration {
    let ids = configuration.endIDs
    func end(_ text: String, _ key: String) throws(ConfigurationProblem) -> Endpoint {
      try Endpoint.parse(Located(text, at: .command), unitIDs: ids, key: key)
    }
    return ConnectionConfiguration(
      from: try end(from, "from"), to: try end(to, "to"), at: .command)
  }

  /// Returns a `[[unit]]`, read like one in a file.
  private static func unit(
    _ id: String, _ component: String, _ settings: [String],
    _ kinds: [Component]
  ) throws -> UnitConfiguration {
    let lines = try lines(of: settings, for: "[[unit]]")
    let read = try SessionConfiguration(
      toml: tomlText(ofUnit: id, component: component, lines), file: "the command", kinds: kinds)
    return read.units[0]
  }

  /// Returns settings of a command as lines of TOML.
  ///
  /// - Parameter section: the section of their keys.
  static func lines(
    of settings: [String], for section: String
  ) throws(SessionCommandError) -> [String] {
    var lines: [String] = []
    for setting in settings {
      guard let place = setting.firstIndex(of: "="),
        let line = tomlLine(
          key: setting[..<place], value: String(setting[setting.index(after: place)...]))
      else {
        throw SessionCommandError(
          "\(quoted(setting)) is no setting", accepted: "KEY=VALUE, with a key of \(section)")
      }
      lines.append(line)
    }
    return lines
  }
}

extension SessionStore {
  /// Makes the units that changes add, by their ids.
  ///
  /// - Throws: the mistake in one.
  fileprivate func makeUnits(of changes: [StructureChange]) async throws -> [String: AudioUnit] {
    let origin = origin
    let builder = SessionBuilder(registry: origin.registry, environment: origin.environment)
    var units: [String: AudioUnit] = [:]
    for (number, change) in changes.enumerated() {
      guard let unit = change.brings else { continue }
      do { units[unit.id.value] = try await builder.makeUnit(unit, file: origin.file) } catch {
        throw SessionCommandError(error, of: changes.count > 1 ? number + 1 : nil)
      }
    }
    return units
  }
}

extension SessionEditor {
  /// Makes changes of the session's current configuration.
  ///
  /// - Parameter given: the units that they add.
  fileprivate func make(
    _ changes: [StructureChange], _ given: [String: AudioUnit], at frame: Int64?,
    _ store: SessionStore, _ maker: EditMaker
  ) async throws -> SessionAnswer {
    let origin = store.origin
    var configuration = origin.configuration
    let made = try changes.make(&configuration)
    configuration = configuration.numberingInputs(origin.registry)
    let move = MixingMove(
      from: origin.configuration, to: configuration, units, mixing, origin.registry)
    move.set(inputsOf: given, &configuration)
    let edits = move.edits(of: units.filter { !made.contains($0.id) }) {
      maker.history.target(of: $0)
    }
    let frame = try await follow(
      configuration, making: made, given: given, ringingOut: changes.ringingOut, frame: frame,
      with: edits, by: maker, changes.text, path: changes.first?.path ?? "", store
    ) { [mixing] in
      mixing.keep(move.left)
      mixing.forget(made)
    }
    return frame.map { .frame($0) } ?? .done
  }

  /// Changes a session to a configuration of running units, and of units that were made for it.
  ///
  /// - Parameters:
  ///   - made: the ids of the units that were made.
  ///   - given: these units, by their ids.
  ///   - ringingOut: the ids of removed units that ring out.
  ///   - frame: the frame at which the change begins; nil for the next cycle.
  ///   - edits: edits of existing units before it, as part of it.
  ///   - done: called once the session has the configuration.
  /// - Returns: the frame at which the change began; nil if nothing renders.
  /// - Throws: the mistake; this call has changed nothing then.
  @discardableResult
  func follow(
    _ configuration: SessionConfiguration, making made: Set<String>,
    given: [String: AudioUnit], ringingOut: Set<String> = [], frame: Int64? = nil,
    with edits: [Edit] = [], by maker: EditMaker, _ text: String, path: String,
    _ store: SessionStore, done: @escaping @Sendable () -> Void = {}
  ) async throws -> Int64? {
    let history = maker.history
    let (before, after) = try structures(
      configuration, making: made, given: given, fitsScenes: true, store)
    var step = history.step(text, path: path, from: before, to: after, file: store.origin.file)
    if !edits.isEmpty { step.insert(edits) }
    let frame = try await maker.edit(
      after, behind: edits, .on(nil), ringingOut: ringingOut, frame: frame, by: self
    ) { [step] frame, _ in
      history.record(step, at: frame.map { .known($0) } ?? .none)
      done()
      return frame
    }
    history.letRest(but: units, store.origin)
    return frame
  }

  /// Returns the session's structure, and the structure of a configuration.
  ///
  /// - Parameters:
  ///   - made: the ids of the units that were made for it.
  ///   - given: all of these units, by their ids.
  ///   - fitsScenes: whether scenes lose values that new units do not have; otherwise these are
  ///     mistakes.
  /// - Throws: the mistake in the configuration.
  func structures(
    _ configuration: SessionConfiguration, making made: Set<String>, given: [String: AudioUnit],
    fitsScenes: Bool, _ store: SessionStore
  ) throws -> (before: SessionStructure, after: SessionStructure) {
    let origin = store.origin
    let running = units
    guard let before = SessionStructure(origin.configuration, running) else {
      throw SessionCommandError("this session plays a file: its units cannot change")
    }
    let builder = SessionBuilder(registry: origin.registry, environment: origin.environment)
    let kept = Dictionary(running.map { ($0.id, $0.unit) }) { first, _ in first }
    let units = try configuration.units.map { unit in
      let id = unit.id.value
      guard let known = given[id] ?? kept[id] else {
        throw SessionCommandError("unit \(quoted(id)) was removed meanwhile")
      }
      return SessionStructure.Unit(configuration: unit, unit: known)
    }
    var after = SessionStructure(units: units, of: configuration)
    let named = units.map { (id: $0.configuration.id.value, unit: $0.unit) }
    try builder.checkPresets(
      of: after.mappings.filter { mapping in
        !before.mappings.contains(mapping) || made.contains { $0 == mapping.unit }
      }, units: named)
    if fitsScenes {
      if !made.isEmpty { builder.fit(&after.scenes, to: made, named) }
    } else {
      try builder.check(after.scenes, units: named)
    }
    return (before, after)
  }
}

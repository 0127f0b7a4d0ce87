// Units that undo may bring back.

import Configuration
import FoundationEssentials
import PropertyLists
import SessionModel
import Synchronization
import UnitModel

/// A unit known to the history: the unit itself, or a description to recreate it from.
final class KeptUnit: Sendable {
  /// State of a unit when it was released.
  private struct Description {
    let configuration: UnitConfiguration
    /// State that the configuration cannot hold.
    let state: StateDictionary?
    /// Channels of the busses; nil if the unit was never made ready to render.
    let channels: BusChannels?

    var byteCount: Int {
      configuration.byteCount + (state.map { PropertyListValue.dictionary($0).byteCount } ?? 0)
    }
  }

  private enum Content {
    case unit(AudioUnit)
    case description(Description)
  }

  private struct State {
    var content: Content
    /// Start of its idle time; nil while the session has the unit.
    var idleSince: ContinuousClock.Instant?
    /// Whether the unit has the channels of the one it replaces.
    var hasFormerChannels = false
  }

  /// Configuration that it was made from.
  let configured: UnitConfiguration
  /// Whether a program made it and still has it. Such a unit is never replaced by a new one.
  let isGiven: Bool
  /// Session file to which its configuration's file names are relative.
  private let file: URL?
  private let bytes: KeptBytes
  private let state: Mutex<State>

  init(
    _ unit: AudioUnit, _ configured: UnitConfiguration, file: URL?, isGiven: Bool = false,
    bytes: KeptBytes = KeptBytes()
  ) {
    self.configured = configured
    self.file = file
    self.isGiven = isGiven
    self.bytes = bytes
    state = Mutex(State(content: .unit(unit)))
  }

  deinit {
    if case .description(let description) = state.withLock({ $0.content }) {
      bytes.add(-description.byteCount)
    }
  }

  /// The unit itself; nil while only its description is kept.
  var unit: AudioUnit? {
    state.withLock { state in
      guard case .unit(let unit) = state.content else { return nil }
      return unit
    }
  }

  var idleSince: ContinuousClock.Instant? {
    get { state.withLock { $0.idleSince } }
    set { state.withLock { $0.idleSince = newValue } }
  }

  /// Whether its busses keep the channels that they agreed on with their connections.
  var keepsChannels: Bool {
    state.withLock { state in
      guard case .unit(let unit) = state.content else { return false }
      return state.hasFormerChannels || unit.hasBeenAllocated
    }
  }

  /// Releases the unit with its memory, and keeps a description of it.
  func rest(_ origin: SessionOrigin) {
    guard let unit else { return }
    // The session may be saved elsewhere by now.
    var origin = origin
    origin.file = file
    let (configuration, rest) = UnitDocument(
      configured: configured, unit: unit, origin: origin, target: { _ in nil }
    ).make()
    let description = Description(
      configuration: configuration, state: rest,
      channels: keepsChannels ? BusChannels(unit) : nil)
    state.withLock { $0.content = .description(description) }
    bytes.add(description.byteCount)
  }

  /// Returns the unit, recreated if it was released.
  /// - Throws: `ConfigurationError` for a missing part, such as a SoundFont.
  func wake(_ builder: SessionBuilder) async throws(ConfigurationError) -> AudioUnit {
    let description: Description
    switch state.withLock({ $0.content }) {
    case .unit(let unit): return unit
    case .description(let known): description = known
    }
    let unit = try await builder.makeUnit(
      description.configuration, file: file, state: description.state)
    description.channels?.restore(unit)
    state.withLock {
      ($0.content, $0.hasFormerChannels) = (.unit(unit), description.channels != nil)
    }
    bytes.add(-description.byteCount)
    return unit
  }
}

/// A structure known to the history.
final class KeptStructure: Sendable {
  let units: [(configuration: UnitConfiguration, kept: KeptUnit)]
  let connections: [ConnectionConfiguration]
  let mappings: [MappingConfiguration]
  let scenes: [SceneConfiguration]
  /// Session file to which the configurations' file names are relative.
  let file: URL?

  init(
    _ structure: SessionStructure, file: URL?, _ keep: (SessionStructure.Unit) -> KeptUnit
  ) {
    self.file = file
    units = structure.units.map { ($0.configuration, keep($0)) }
    (connections, mappings) = (structure.connections, structure.mappings)
    scenes = structure.scenes
  }

  /// Whether it equals a structure and has the same units.
  func isSame(as other: SessionStructure, file: URL?) -> Bool {
    self.file == file && units.count == other.units.count
      && zip(units, other.units).allSatisfy {
        $0.kept.unit === $1.unit && $0.configuration == $1.configuration
      } && connections == other.connections && mappings == other.mappings
      && scenes == other.scenes
  }

  /// Returns its approximate size in bytes, given the structure before it. `KeptBytes` counts
  /// released units.
  func size(beside former: KeptStructure) -> Int {
    let known = Set(former.units.map { ObjectIdentifier($0.kept) })
    let changed = units.filter { !known.contains(ObjectIdentifier($0.kept)) }
    return units.count * 384 + connections.count * 128 + mappings.count * 256
      + scenes.reduce(0) { $0 + 256 + $1.values.count * 96 }
      + changed.reduce(0) { $0 + $1.configuration.byteCount }
  }

  /// Returns the structure, with released units recreated.
  func wake(_ origin: SessionOrigin) async throws -> SessionStructure {
    let builder = SessionBuilder(registry: origin.registry, environment: origin.environment)
    var awake: [SessionStructure.Unit] = []
    for (configuration, kept) in units {
      let unit = try await kept.wake(builder)
      awake.append(
        .init(
          configuration: try renamed(configuration, for: origin), unit: unit,
          keepsChannels: kept.keepsChannels))
    }
    return SessionStructure(
      units: awake, connections: connections, mappings: mappings, scenes: scenes)
  }

  /// Returns a configuration whose file names are relative to the session's current file.
  private func renamed(
    _ configuration: UnitConfiguration, for origin: SessionOrigin
  ) throws(ConfigurationProblem) -> UnitConfiguration {
    guard let place = origin.file, place != file,
      let type = origin.registry.unitType(of: configuration) as? any FileNamingUnit.Type
    else { return configuration }
    var renamed = configuration
    try type.rename(
      &renamed.keys, from: ConfigurationContext(file: file, environment: origin.environment),
      to: place, naming: { _ in nil }, addsSums: false)
    return renamed
  }
}

// What a session is, as a value.

public import Configuration
public import Foundation
public import UnitModel

/// A session as it could be written down now: the client, the units with their settings, and their
/// connections.
///
/// It says what a configuration says; the names of files are as the configuration has them, or
/// absolute where something else was loaded.
public struct SessionDocument: Sendable, Equatable {
  /// Without the files of `states`. Places are those of the configuration that it was made of.
  public package(set) var configuration: SessionConfiguration
  /// What configurations cannot say of units, by their ids: a `fullStateForDocument` each.
  public package(set) var states: [String: StateDictionary]
  /// The ids of units that no configuration can name: only a program has their kind.
  package var leftOut: [String] = []
}

/// Where a session came from.
public struct SessionOrigin: Sendable {
  public package(set) var configuration: SessionConfiguration
  /// Nil for a configuration that was in no file.
  public package(set) var file: URL?
  package let registry: ComponentRegistry
  package let environment: [String: String]

  package func with(_ configuration: SessionConfiguration, file: URL) -> SessionOrigin {
    SessionOrigin(
      configuration: configuration, file: file, registry: registry, environment: environment)
  }

  /// Where the keys of its units find files.
  package var context: ConfigurationContext {
    ConfigurationContext(file: file, environment: environment)
  }

  /// The files that the keys of units name, with the units' ids.
  package var files: [(unit: String, file: ConfiguredFile)] {
    configuration.units.flatMap { unit in
      let type = registry.unitType(of: unit) as? any FileNamingUnit.Type
      return (type?.files(of: unit.keys, context) ?? []).map { (unit.id.value, $0) }
    }
  }

  /// The entries that the keys of a unit list.
  func entries(of unit: UnitConfiguration) -> [ConfiguredEntry] {
    (registry.unitType(of: unit) as? any ConfigurableUnit.Type)?.entries(of: unit.keys) ?? []
  }

  /// A file with the keys that the units of this program have.
  package func read(_ file: URL) throws(ConfigurationError) -> SessionConfiguration {
    try readAsWritten(file).numberingInputs(registry)
  }

  /// The same without numbers for inputs that have none there.
  package func readAsWritten(_ file: URL) throws(ConfigurationError) -> SessionConfiguration {
    try SessionConfiguration(contentsOf: file, kinds: registry.configurableUnits)
  }
}

extension SessionDocument {
  /// A session as it is now.
  ///
  /// - Parameters:
  ///   - units: the units by their ids.
  ///   - target: the value that a ramp moves a parameter to, nil for one that rests.
  /// - Thread: [control]
  package init(
    _ origin: SessionOrigin, units: [(id: String, unit: AudioUnit)],
    target: @escaping (SessionPath) -> Float? = { _ in nil }
  ) {
    configuration = origin.configuration
    configuration.version = Located(SessionConfiguration.currentVersion, at: .nowhere)
    states = [:]
    for (index, configured) in origin.configuration.units.enumerated() {
      let id = configured.id.value
      guard let unit = units.first(where: { $0.id == id })?.unit else { continue }
      let (now, state) = UnitDocument(
        configured: configured, unit: unit, origin: origin,
        target: { target(SessionPath(unit: id, keyPath: $0)) }
      ).make()
      configuration.units[index] = now
      states[id] = state
    }
    leftOut = configuration.units.filter { unit in
      (try? origin.registry.component(named: unit.component.value)) == nil
    }.map(\.id.value)
    for id in leftOut {
      configuration.removeUnit(id)
      states[id] = nil
    }
  }
}

// A session as a value.

public import Configuration
public import FoundationEssentials
import Glibc
public import UnitModel

/// A session in the form of its configuration: the client, the units with their current settings,
/// and their connections.
///
/// File names are the same as in the configuration, or absolute if another file was loaded.
public struct SessionDocument: Sendable, Equatable {
  /// The configuration, without the files of `states`. Positions are those of its origin.
  public package(set) var configuration: SessionConfiguration
  /// Unit states that a configuration cannot express, by unit id: a `fullStateForDocument` each.
  public package(set) var states: [String: StateDictionary]
  /// The ids of units that no configuration can name: only a program has their kind.
  package var leftOut: [String] = []
}

/// The origin of a session: its configuration and file, and the registry of its components.
public struct SessionOrigin: Sendable {
  public package(set) var configuration: SessionConfiguration
  /// The configuration's file; nil if it was in no file.
  public package(set) var file: URL?
  package let registry: ComponentRegistry
  package let environment: [String: String]

  package func with(_ configuration: SessionConfiguration, file: URL) -> SessionOrigin {
    SessionOrigin(
      configuration: configuration, file: file, registry: registry, environment: environment)
  }

  /// The context in which the keys of its units find files.
  package var context: ConfigurationContext {
    ConfigurationContext(file: file, environment: environment)
  }

  /// Files named by the keys of units, with the units' ids.
  package var files: [(unit: String, file: ConfiguredFile)] {
    configuration.units.flatMap { unit in
      let type = registry.unitType(of: unit) as? any FileNamingUnit.Type
      return (type?.files(of: unit.keys, context) ?? []).map { (unit.id.value, $0) }
    }
  }

  /// Returns the entries listed by the keys of a unit.
  func entries(of unit: UnitConfiguration) -> [ConfiguredEntry] {
    (registry.unitType(of: unit) as? any ConfigurableUnit.Type)?.entries(of: unit.keys) ?? []
  }

  /// Reads a file, with the keys of this program's units. Numbers inputs that have no number.
  package func read(_ file: URL) throws(ConfigurationError) -> SessionConfiguration {
    try readAsWritten(file).numberingInputs(registry)
  }

  /// Reads a file without numbering its inputs.
  package func readAsWritten(_ file: URL) throws(ConfigurationError) -> SessionConfiguration {
    try SessionConfiguration(contentsOf: file, kinds: registry.configurableUnits)
  }
}

extension SessionDocument {
  /// Makes the document from the current state of the units.
  ///
  /// - Parameters:
  ///   - units: the units by their ids.
  ///   - target: returns the value that a ramp moves a parameter to; nil if it is at rest.
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

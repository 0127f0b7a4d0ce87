// Building a session from its configuration.

import Configuration
import ControlUnit
import FoundationEssentials
import Glibc
import Graph
import UnitModel

/// Makes the units of a configuration, sets them up and connects them.
public struct SessionBuilder {
  package let registry: ComponentRegistry
  package let environment: [String: String]
  let loadingProgress: LoadingProgress?

  /// - Parameters:
  ///   - environment: variables such as HOME, used to find the files of a configuration.
  ///   - loadingProgress: is called with the part of such a file that has been read.
  public init(
    registry: ComponentRegistry,
    environment: [String: String] = ProcessInfo.processInfo.environment,
    loadingProgress: LoadingProgress? = nil
  ) {
    self.registry = registry
    self.environment = environment
    self.loadingProgress = loadingProgress
  }

  /// Builds the session of a configuration file.
  /// - Throws: `ConfigurationError` with file, line and the accepted values.
  /// - Thread: [control]
  public func build(contentsOf url: URL) async throws(ConfigurationError) -> SessionPlan {
    try await build(read(url), file: url)
  }

  /// Returns the origin of a configuration's session, with the registry of its units.
  package func origin(of configuration: SessionConfiguration, _ file: URL?) -> SessionOrigin {
    SessionOrigin(
      configuration: configuration, file: file, registry: registry, environment: environment)
  }

  /// Reads a configuration file with the keys of all kinds of units.
  /// - Thread: [control]
  package func read(_ url: URL) throws(ConfigurationError) -> SessionConfiguration {
    try SessionConfiguration(contentsOf: url, kinds: registry.configurableUnits)
  }

  /// Builds the session of a configuration.
  /// - Parameter file: the file of the configuration; relative file names start at its folder, or
  ///   at the current folder if it is nil.
  /// - Throws: `ConfigurationError` with file, line and the accepted values: the first problem of
  ///   each unit or, if all units are right, of the connections, the mappings and the scenes.
  /// - Thread: [control]
  public func build(
    _ configuration: SessionConfiguration, file: URL?
  ) async throws(ConfigurationError) -> SessionPlan {
    let configuration = configuration.numberingInputs(registry)
    let graph = Graph()
    let origin = origin(of: configuration, file)
    var collector = ProblemCollector()
    for unit in configuration.units {
      do throws(ConfigurationProblem) {
        let made = try await makeUnit(unit, file: file)
        try located(unit.id.location) { () throws(GraphError) in
          _ = try graph.add(made, id: unit.id.value)
        }
      } catch { collector.report(error) }
    }
    collector.attempt { () throws(ConfigurationProblem) in
      try addControl(for: configuration.mappings, to: graph)
    }
    try collector.finish()

    var requests: [RequestedConnection] = []
    var mappings: [ControlMapping] = []
    collector.attempt { () throws(ConfigurationProblem) in
      requests = try connect(configuration.connections, in: graph)
    }
    collector.attempt { () throws(ConfigurationProblem) in
      mappings = try map(configuration.mappings, configuration.scenes, in: graph)
    }
    let units = graph.nodes.filter { !($0.unit is ControlUnit) }.map { ($0.id, $0.unit) }
    collector.attempt { () throws(ConfigurationProblem) in
      try checkPresets(of: configuration.mappings, units: units)
      try check(configuration.scenes, units: units)
    }
    try collector.finish()

    let files = origin.files
    let plan = SessionPlan(
      graph: graph,
      clientName: configuration.clientName?.value ?? SessionConfiguration.defaultClientName,
      requests: requests, controlMappings: mappings, osc: configuration.osc,
      sources: SourceFile.all(file, files),
      origin: origin,
      remarks: files.compactMap { file in
        file.file.remark.map { "\(file.file.location.prefix)\($0)" }
      })
    plan.applyMappings()
    return plan
  }

  /// Adds a position to an error.
  package func located<Result, Failure: Error & CustomStringConvertible>(
    _ location: SourcePosition, _ body: () throws(Failure) -> Result
  ) throws(ConfigurationProblem) -> Result {
    do throws(Failure) { return try body() } catch {
      throw ConfigurationProblem(error.description, at: location)
    }
  }
}

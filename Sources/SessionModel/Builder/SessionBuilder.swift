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
  /// Settings that replace those of the file.
  package var settings: [UnitSetting] = []

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

  /// Builds the session of a configuration file, with `settings` in place of the file's.
  /// - Throws: `ConfigurationError` with file, line and the accepted values.
  /// - Thread: [control]
  public func build(contentsOf url: URL) async throws(ConfigurationError) -> SessionPlan {
    let (written, error) = try SessionConfiguration.read(
      contentsOf: url, kinds: registry.configurableUnits)
    var problems = ProblemCollector()
    if let error { problems.report(error) }
    var configuration = written
    do throws(ConfigurationError) {
      try configuration.apply(
        settings, kinds: registry.configurableUnits,
        ConfigurationContext(file: url, environment: environment))
    } catch { problems.report(error) }
    guard !problems.problems.isEmpty else {
      var plan = try await build(configuration, file: url)
      // A later edit of the file is compared with the file as it is, so that the settings stay.
      if !settings.isEmpty { plan.base = written.numberingInputs(registry) }
      return plan
    }
    for unit in configuration.units {
      do throws(ConfigurationError) { _ = try await makeUnit(unit, file: url) } catch {
        problems.report(error)
      }
    }
    problems.sort()
    try problems.finish()
    preconditionFailure("a file with problems has an error")
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
  /// - Throws: `ConfigurationError` with file, line and the accepted values: the problems of all
  ///   units or, if all units are right, of the connections, the mappings and the scenes.
  /// - Thread: [control]
  public func build(
    _ configuration: SessionConfiguration, file: URL?
  ) async throws(ConfigurationError) -> SessionPlan {
    let configuration = configuration.numberingInputs(registry)
    let graph = Graph()
    let origin = origin(of: configuration, file)
    var collector = ProblemCollector()
    for unit in configuration.units {
      do throws(ConfigurationError) {
        let made = try await makeUnit(unit, file: file)
        collector.attempt { () throws(ConfigurationProblem) in
          try located(unit.id.location) { () throws(GraphError) in
            _ = try graph.add(made, id: unit.id.value)
          }
        }
      } catch { collector.report(error) }
    }
    collector.attempt { () throws(ConfigurationProblem) in
      try addControl(for: configuration.mappings, to: graph)
    }
    try collector.finish()

    let connected = collector.attempt(each: configuration.connections) {
      (parts) throws(ConfigurationProblem) in
      let connected = Graph(copying: graph)
      return (graph: connected, requests: try connect(parts, in: connected))
    }
    let mapped = collector.attempt(each: configuration.mappings) {
      (parts) throws(ConfigurationProblem) in
      let mapped = Graph(copying: connected?.graph ?? graph)
      return (graph: mapped, mappings: try map(parts, configuration.scenes, in: mapped))
    }
    let units = graph.nodes.filter { !($0.unit is ControlUnit) }.map { ($0.id, $0.unit) }
    collector.attempt(each: configuration.mappings) { (parts) throws(ConfigurationProblem) in
      try checkPresets(of: parts, units: units)
    }
    collector.attempt(each: configuration.scenes) { (parts) throws(ConfigurationProblem) in
      try check(parts, units: units)
    }
    try collector.finish()
    guard let connected, let mapped else { preconditionFailure("what is missing has a problem") }

    let files = origin.files
    let plan = SessionPlan(
      graph: mapped.graph,
      clientName: configuration.clientName?.value ?? SessionConfiguration.defaultClientName,
      requests: connected.requests, controlMappings: mapped.mappings, osc: configuration.osc,
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

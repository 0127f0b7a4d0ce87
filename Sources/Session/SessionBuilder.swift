// Builds what a configuration describes.

import Configuration
import Foundation
import Graph
public import SamplerUnit
import UnitModel

/// Makes the units of a configuration, sets them up and connects them.
public struct SessionBuilder {
  let registry: ComponentRegistry
  let locator: SoundFontLocator
  let loadingProgress: SamplerUnit.LoadingProgress?

  /// - Parameter loadingProgress: told how far SoundFonts are read.
  public init(
    registry: ComponentRegistry, locator: SoundFontLocator = SoundFontLocator(),
    loadingProgress: SamplerUnit.LoadingProgress? = nil
  ) {
    self.registry = registry
    self.locator = locator
    self.loadingProgress = loadingProgress
  }

  /// Builds the session of a configuration file.
  /// - Throws: `ConfigurationError` with file, line and what would be accepted.
  /// - Thread: [control]
  public func build(contentsOf url: URL) async throws(ConfigurationError) -> SessionPlan {
    try await build(SessionConfiguration(contentsOf: url), file: url)
  }

  /// Builds the session of a configuration.
  /// - Parameter file: where it was read; SoundFonts beside it are found.
  public func build(
    _ configuration: SessionConfiguration, file: URL?
  ) async throws(ConfigurationError) -> SessionPlan {
    do throws(ConfigurationProblem) {
      let graph = Graph()
      for unit in configuration.units {
        let made = try await makeUnit(unit, file: file)
        try located(unit.id.location) { () throws(GraphError) in
          _ = try graph.add(made, id: unit.id.value)
        }
      }
      var wishes: [OutsideWish] = []
      for connection in configuration.connections {
        if let wish = try connect(connection, in: graph) { wishes.append(wish) }
      }
      return SessionPlan(
        graph: graph,
        clientName: configuration.clientName?.value ?? SessionConfiguration.defaultClientName,
        wishes: wishes, osc: configuration.osc, sources: sources(of: configuration, file: file),
        origin: SessionOrigin(configuration: configuration, file: file, locator: locator),
        remarks: remarks(on: configuration, file: file))
    } catch {
      throw ConfigurationError(error)
    }
  }

  /// Gives an error the position of what caused it.
  func located<Result, Failure: Error & CustomStringConvertible>(
    _ location: SourcePosition, _ body: () throws(Failure) -> Result
  ) throws(ConfigurationProblem) -> Result {
    do throws(Failure) { return try body() } catch {
      throw ConfigurationProblem(error.description, at: location)
    }
  }
}

// What a unit does that has keys of its own in configurations.

public import Foundation
public import UnitModel

/// A unit with keys of its own in `[[unit]]`. Its component says so by its `unitType`.
///
/// The builder of a session makes the unit and calls `configure`, and then sets what all units
/// have: preset, parameters, bypass. Only `configurationKeys` and `configure` have to be written.
public protocol ConfigurableUnit: AudioUnit {
  /// The keys, in the order in which they are written. Another kind of unit may mean something else
  /// by the same name.
  ///
  /// - Thread: [any]
  static var configurationKeys: [ConfigurationKey] { get }

  /// What is wrong with the keys of a unit of this kind, as far as they themselves show it. A file
  /// with such a problem is refused.
  ///
  /// - Thread: [any]
  static func problems(in keys: UnitKeys) -> [ConfigurationProblem]

  /// The component whose factory makes the unit, for kinds of units that are made otherwise by
  /// their keys.
  ///
  /// - Parameter component: the one that is registered.
  /// - Thread: [control]
  static func component(
    _ component: Component, for keys: UnitKeys
  ) throws(ConfigurationProblem) -> Component

  /// Sets up a unit that was made, by the keys of its configuration. Its parameters and preset are
  /// not yet set, but for the parameters of units with entries.
  ///
  /// - Thread: [control]
  func configure(
    _ configuration: UnitConfiguration, _ context: ConfigurationContext
  ) async throws(ConfigurationProblem)

  /// Has the keys say what the unit is now, so that the session can be saved.
  ///
  /// - Parameter keys: those by which it was configured.
  /// - Returns: whether keys and parameters say everything; else the unit's state is saved with
  ///   them.
  /// - Thread: [control]
  func describe(_ keys: inout UnitKeys, _ context: ConfigurationContext) -> Bool

  /// The sounds, scenes or the like that keys list for `EntrySelecting`.
  ///
  /// - Thread: [any]
  static func entries(of keys: UnitKeys) -> [ConfiguredEntry]
}

extension ConfigurableUnit {
  public static func problems(in keys: UnitKeys) -> [ConfigurationProblem] { [] }

  public static func component(
    _ component: Component, for keys: UnitKeys
  ) throws(ConfigurationProblem) -> Component { component }

  public func describe(_ keys: inout UnitKeys, _ context: ConfigurationContext) -> Bool {
    settings(forDocument: true).isEmpty
  }

  public static func entries(of keys: UnitKeys) -> [ConfiguredEntry] { [] }
}

/// Told which file is being read and the part of it that was, 0 to 1, which is when it is loaded.
/// It runs on the thread that loads.
public typealias LoadingProgress = @Sendable (_ file: URL, _ part: Double) -> Void

/// Where a configuration stands, for keys that name files.
///
/// - Thread: [any]
public struct ConfigurationContext: Sendable {
  /// Nil for a configuration that is in no file.
  public var file: URL?
  /// Variables such as HOME, which decide what the usual folders are.
  public var environment: [String: String]
  public var loadingProgress: LoadingProgress?

  public init(
    file: URL?, environment: [String: String] = ProcessInfo.processInfo.environment,
    loadingProgress: LoadingProgress? = nil
  ) {
    self.file = file
    self.environment = environment
    self.loadingProgress = loadingProgress
  }
}

/// An entry of a unit as its configuration has it.
///
/// - Thread: [any]
public struct ConfiguredEntry: Sendable {
  /// The number by which it is selected.
  public let number: Int
  public let name: String
  /// The parameters that it sets, in the order of the file.
  public let parameters: [Setting]

  public init(number: Int, name: String, parameters: [Setting]) {
    self.number = number
    self.name = name
    self.parameters = parameters
  }
}

// Units with keys of their own in configurations.

public import FoundationEssentials
public import UnitModel

/// A unit with keys of its own in `[[unit]]`. Its component declares it by its `unitType`.
///
/// The session builder makes the unit, calls `configure`, and then sets the common keys: preset,
/// parameters, bypass. Only `configurationKeys` and `configure` have to be implemented.
public protocol ConfigurableUnit: AudioUnit {
  /// The keys, in the order in which they are written. The same name may mean something else in
  /// another kind of unit.
  ///
  /// - Thread: [any]
  static var configurationKeys: [ConfigurationKey] { get }

  /// Returns the problems that the keys of a unit show without a unit. A file with such a problem
  /// is refused.
  ///
  /// - Thread: [any]
  static func problems(in keys: UnitKeys) -> [ConfigurationProblem]

  /// Returns the component whose factory makes the unit: another than the registered one if the
  /// keys require it.
  ///
  /// - Parameter component: the registered component.
  /// - Throws: the first problem of the keys that it reads.
  /// - Thread: [control]
  static func component(
    _ component: Component, for keys: UnitKeys
  ) throws(ConfigurationProblem) -> Component

  /// Sets up a new unit by the keys of its configuration. Its parameters and preset are not set
  /// yet, except the parameters of a unit with entries.
  ///
  /// - Throws: a problem with the position of its key, such as a file that cannot be read.
  /// - Thread: [control]
  func configure(
    _ configuration: UnitConfiguration, _ context: ConfigurationContext
  ) async throws(ConfigurationProblem)

  /// Updates the keys to the present state of the unit, so that the session can be saved.
  ///
  /// - Parameter keys: the keys that the unit was configured with.
  /// - Returns: whether keys and parameters express everything; otherwise the unit's state is saved
  ///   too.
  /// - Thread: [control]
  func describe(_ keys: inout UnitKeys, _ context: ConfigurationContext) -> Bool

  /// Returns the entries that keys list for `EntrySelecting`, such as sounds or scenes.
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

/// Receives the file being read and the part that has been read, 0 to 1; 1 means loaded.
///
/// Called on the loading thread, for a SoundFont once for each megabyte or sample. Meanwhile no
/// sampler of the process can load, so the function must not call one.
public typealias LoadingProgress = @Sendable (_ file: URL, _ part: Double) -> Void

/// The file and environment of a configuration, for keys that name files.
///
/// - Thread: [any]
public struct ConfigurationContext: Sendable {
  /// The configuration's file; nil if it is in no file.
  public var file: URL?
  /// Variables such as HOME, which locate the default folders.
  public var environment: [String: String]
  /// The receiver of the progress of loading; nil for none.
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

/// An entry of a unit in its configuration.
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

// Loading a configuration from a file or from memory.
import Files
import FoundationEssentials
public import UnitModel

extension SessionConfiguration {
  /// The maximum size of a configuration file in bytes.
  public static let maximumBytes = 1 << 20

  /// Reads a configuration file.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - kinds: the components whose units have keys of their own in `[[unit]]`, such as
  ///     `ComponentRegistry.configurableUnits`. Other unknown keys are refused.
  /// - Throws: `ConfigurationError` for a file that cannot be read, is longer than `maximumBytes`,
  ///   or has problems.
  /// - Thread: [control]
  public init(
    contentsOf url: URL, kinds: [Component] = []
  ) throws(ConfigurationError) {
    let (configuration, error) = try Self.read(contentsOf: url, kinds: kinds)
    if let error { throw error }
    self = configuration
  }

  /// Reads a configuration file as far as it can be understood.
  ///
  /// - Returns: the configuration without faulty parts, and their problems; nil for none.
  /// - Throws: for a file that cannot be read or is no TOML.
  package static func read(
    contentsOf url: URL, kinds: [Component]
  ) throws(ConfigurationError) -> (SessionConfiguration, ConfigurationError?) {
    let file = url.relativePath
    let bytes: [UInt8]?
    do throws(SystemError) {
      bytes = try OpenFile(url.path).contents(upTo: Self.maximumBytes)
    } catch {
      throw ConfigurationError(
        ConfigurationProblem("cannot read it: \(error)", at: SourcePosition(file: file)))
    }
    guard let bytes else { throw Self.tooLong(file) }
    return try read(bytes: bytes, file: file, kinds: kinds)
  }

  private static func read(
    bytes: [UInt8], file: String, kinds: [Component]
  ) throws(ConfigurationError) -> (SessionConfiguration, ConfigurationError?) {
    guard bytes.count <= maximumBytes else { throw tooLong(file) }
    return ConfigurationReader.read(
      try ConfigurationValue.parse(bytes, file: file), kinds: kinds)
  }

  /// Reads a configuration from the bytes of a file.
  ///
  /// - Parameter file: the file name in positions and errors.
  /// - Thread: [any]
  public init(
    bytes: [UInt8], file: String, kinds: [Component] = []
  ) throws(ConfigurationError) {
    let (configuration, error) = try Self.read(bytes: bytes, file: file, kinds: kinds)
    if let error { throw error }
    self = configuration
  }

  private static func tooLong(_ file: String) -> ConfigurationError {
    ConfigurationError(
      ConfigurationProblem(
        "too long for a configuration", accepted: "up to \(maximumBytes) bytes",
        at: SourcePosition(file: file)))
  }

  /// Reads a configuration from text.
  ///
  /// - Thread: [any]
  public init(
    toml: String, file: String, kinds: [Component] = []
  ) throws(ConfigurationError) {
    try self.init(bytes: Array(toml.utf8), file: file, kinds: kinds)
  }
}

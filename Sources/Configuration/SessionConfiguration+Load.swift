// Loads a configuration from a file or from memory.
import Foundation
public import UnitModel

extension SessionConfiguration {
  /// The most bytes that a configuration file may have.
  public static let maximumBytes = 1 << 20

  /// Reads a configuration file.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - kinds: the components whose units have keys of their own in `[[unit]]`, such as
  ///     `ComponentRegistry.configurableUnits`; all other keys that are not known are refused.
  /// - Thread: [control]
  public init(
    contentsOf url: URL, kinds: [Component] = []
  ) throws(ConfigurationError) {
    let file = url.relativePath
    func unreadable(_ reason: String) -> ConfigurationError {
      ConfigurationError(
        ConfigurationProblem("cannot read it: \(reason)", at: SourcePosition(file: file)))
    }
    guard let stream = fopen(url.path, "re") else {
      throw unreadable(String(cString: strerror(errno)))
    }
    defer { fclose(stream) }
    // One byte more than is accepted tells a file that is too long, also one without an end.
    let limit = Self.maximumBytes + 1
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      count = fread(buffer.baseAddress, 1, limit, stream)
    }
    if ferror(stream) != 0 { throw unreadable(String(cString: strerror(errno))) }
    try self.init(bytes: bytes, file: file, kinds: kinds)
  }

  /// Reads a configuration from the bytes of a file.
  ///
  /// - Parameter file: the name that positions and errors carry.
  /// - Thread: [any]
  public init(
    bytes: [UInt8], file: String, kinds: [Component] = []
  ) throws(ConfigurationError) {
    guard bytes.count <= Self.maximumBytes else {
      throw ConfigurationError(
        ConfigurationProblem(
          "too long for a configuration", accepted: "up to \(Self.maximumBytes) bytes",
          at: SourcePosition(file: file)))
    }
    let document = try ConfigurationValue.parse(bytes, file: file)
    self = try ConfigurationReader.read(document, kinds: kinds)
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

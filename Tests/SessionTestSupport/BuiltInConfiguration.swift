// Configurations of the built-in components.

import BuiltInUnits
import Configuration

extension SessionConfiguration {
  /// Reads a configuration with the keys that the built-in components have.
  public init(builtIn toml: String, file: String) throws(ConfigurationError) {
    try self.init(toml: toml, file: file, kinds: BuiltInComponents.configurable)
  }
}

// The components that the commands know.

import BuiltInUnits
import UnitModel

/// The built-in components and those that the program has brought along.
enum HostComponents {
  /// Components beside the built-in ones.
  @TaskLocal static var added: [Component] = []

  /// - Throws: `RegistrationError` when a program's component has a name or codes that are taken.
  static func makeRegistry() throws(RegistrationError) -> ComponentRegistry {
    let registry = try BuiltInComponents.makeRegistry()
    for component in added { try registry.register(component) }
    return registry
  }
}

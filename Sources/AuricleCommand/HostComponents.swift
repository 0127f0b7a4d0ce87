// Components known to the commands.

import BuiltInUnits
import UnitModel

/// The built-in components and those added by the program.
enum HostComponents {
  /// Components in addition to the built-in ones.
  @TaskLocal static var added: [Component] = []

  /// - Throws: `RegistrationError` if a program's component has a name or codes that are taken.
  static func makeRegistry() throws(RegistrationError) -> ComponentRegistry {
    let registry = try BuiltInComponents.makeRegistry()
    for component in added { try registry.register(component) }
    return registry
  }
}

extension ComponentRegistry {
  /// Returns the component of a short name or codes, or all that match codes with a `*`.
  ///
  /// - Throws: `unknownComponent`.
  func components(named text: String) throws(InstantiationError) -> [Component] {
    if let pattern = ComponentDescription(codes: text) {
      let found = components(matching: pattern)
      if found.count > 1 { return found }
    }
    return [try component(named: text)]
  }
}

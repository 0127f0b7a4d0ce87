// The components that the commands know.

import Session
public import UnitModel

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

extension AuricleCommand {
  /// Runs the command line of this process with components beside the built-in ones: all commands and
  /// configurations know them. Returns when the command has succeeded; otherwise it ends the process with status 1
  /// (failed) or 2 (bad usage or configuration).
  ///
  /// - Parameter components: registered in this order.
  /// - Thread: [control], once, from the program's `main`.
  public static func main(adding components: [Component]) async {
    await HostComponents.$added.withValue(components) { await main() }
  }
}

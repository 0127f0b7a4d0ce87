// Options of commands that start a JACK client.

import ArgumentParser
import Configuration
import Session

extension ServerStart: ExpressibleByArgument {}

/// Options of the JACK client for commands that run a session.
struct ClientOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The JACK client's name, in place of the configuration's.", valueName: "name"))
  var clientName: String?

  @OptionGroup var jack: ServerOptions

  @Option(
    help: ArgumentHelp(
      "Whether to start a JACK server when none runs: never, default (~/.jackdrc) or dummy.",
      valueName: "never|default|dummy"))
  var startServer: ServerStart = .never

  @Flag(
    inversion: .prefixedNo,
    help: "Whether to wait for the JACK server when it has shut down, and go on there.")
  var reconnect = true

  @OptionGroup var cores: CoreOptions

  func validate() throws {
    guard let clientName else { return }
    do throws(NameError) { _ = try ClientName(clientName) } catch {
      throw ValidationError("--client-name: \(error)")
    }
  }

  /// - Parameter followsFile: whether the session follows its configuration file.
  func options(followsFile: Bool = false) -> JackSession.Options {
    JackSession.Options(
      clientName: clientName, server: jack.server, start: startServer, locksMemory: true,
      reconnects: reconnect, followsFile: followsFile, secondCore: cores.secondCore)
  }
}

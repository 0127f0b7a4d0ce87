// The options of what becomes a JACK client.

import ArgumentParser
import Session

extension ServerStart: ExpressibleByArgument {}

/// How a session becomes a client, for the commands that run one.
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
    // JACK's names have 63 bytes; a colon ends a client's name, a slash ends a file's.
    guard let clientName else { return }
    let isFine =
      (1...63).contains(clientName.utf8.count)
      && !clientName.unicodeScalars.contains {
        $0.properties.generalCategory == .control || $0 == ":" || $0 == "/"
      }
    guard isFine else {
      throw ValidationError(
        "--client-name takes 1 to 63 bytes without ':', '/' and control characters")
    }
  }

  /// - Parameter followsFile: whether the session follows its configuration.
  func options(followsFile: Bool = false) -> JackSession.Options {
    JackSession.Options(
      clientName: clientName, server: jack.server, start: startServer, locksMemory: true,
      reconnects: reconnect, followsFile: followsFile, secondCore: cores.secondCore)
  }
}

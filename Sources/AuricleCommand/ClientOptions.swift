// Options of commands that start a JACK client.

import ArgumentParser
import Configuration
import Logging
import Platform
import Session

extension ServerStart: ExpressibleByArgument {}

/// Options of the JACK client for commands that run a session.
struct ClientOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The JACK client's name, instead of the configuration's.", valueName: "name"))
  var clientName: String?

  @OptionGroup var jack: ServerOptions

  @Option(
    help: ArgumentHelp(
      "Start a JACK server if none runs: never, default (~/.jackdrc) or dummy.",
      valueName: "never|default|dummy"))
  var startServer: ServerStart = .never

  @Flag(
    inversion: .prefixedNo,
    help:
      "Wait for a JACK server that shut down and resume on it, or end with status 1. Default: --reconnect."
  )
  var reconnect = true

  @OptionGroup var cores: CoreOptions

  @Flag(
    inversion: .prefixedNo,
    help:
      "Write display names, order and groups of the ports into JACK's metadata, for patchbays. Default: --no-metadata."
  )
  var metadata = false

  func validate() throws {
    guard let clientName else { return }
    do throws(NameError) { _ = try ClientName(clientName) } catch {
      throw ValidationError("--client-name: \(error)")
    }
  }

  /// Takes PipeWire where it runs and no jackd, unless the options ask for a server of jackd.
  func choosePipeWire(_ log: Logger) {
    if startServer == .never { jack.choosePipeWire(log) }
  }

  /// - Parameter followsFile: whether the session follows its configuration file.
  func options(followsFile: Bool = false) -> JackSession.Options {
    var options = JackSession.Options(
      clientName: clientName, server: jack.server, start: startServer, locksMemory: true,
      reconnects: reconnect, followsFile: followsFile, secondCore: cores.secondCore)
    if metadata { options.metadataProgram = programFile?.path ?? "/proc/self/exe" }
    return options
  }
}

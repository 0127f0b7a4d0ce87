// The option for the JACK server.

import ArgumentParser
import JackBackend
import Logging

/// `--server`, for commands that need a server.
struct ServerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The JACK server's name. Default: JACK_DEFAULT_SERVER, or default.",
      valueName: "name"))
  var server: String?

  /// Restarts this program with PipeWire's JACK library where PipeWire runs and no jackd, unless
  /// a server is named.
  func choosePipeWire(_ log: Logger) {
    if server != nil { return }
    PipeWire.restart {
      log.notice("no JACK server runs, but PipeWire does: restarting by pw-jack")
    }
  }

  func validate() throws {
    // libjack makes file names of it, and truncates long ones.
    guard let server else { return }
    let isFine =
      (1...63).contains(server.utf8.count)
      && server.unicodeScalars.allSatisfy {
        $0 != "/" && $0.properties.generalCategory != .control
      }
    guard isFine else {
      throw ValidationError(
        "--server takes a name of 1 to 63 bytes without '/' and control characters")
    }
  }
}

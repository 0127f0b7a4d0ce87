// auricle write-metadata

import ArgumentParser
import Glibc
import JackBackend

/// The process that writes the metadata of a session with `--metadata`.
struct WriteMetadataCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "write-metadata",
    abstract: "Write the names of a session's ports, read from standard input, to JACK's metadata.",
    shouldDisplay: false)

  @Argument(help: "The name of the session's JACK client.")
  var session: String

  @OptionGroup var jack: ServerOptions

  func run() throws {
    // Only the end of the session ends it: killed while it writes, it would block other clients.
    for number in [SIGHUP, SIGINT, SIGTERM] { signal(number, SIG_IGN) }
    do throws(JackError) {
      let scribe = try MetadataScribe(session: session, server: jack.server)
      scribe.begin()
      scribe.follow(STDIN_FILENO, answering: STDOUT_FILENO)
      // libjack may wait for ever when it closes the client of a server that has ended.
      alarm(3)
    } catch {
      throw CommandFailure(message: "\(error)", status: 1)
    }
  }
}

// auricle web

import ArgumentParser
import Glibc
import Platform

struct WebCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "web", abstract: "Show the running sessions in a browser.",
    discussion: """
      It starts the program auricle-web, which is beside auricle, with the same options: auricle web --help lists them.
      """)

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("Options of auricle-web.", valueName: "option"))
  var options: [String] = []

  func run() throws {
    guard let folder = programFile?.deletingLastPathComponent() else {
      throw CommandFailure(message: "/proc is not mounted: start auricle-web itself", status: 1)
    }
    let program = folder.appendingPathComponent("auricle-web").path
    let arguments = (["auricle-web"] + options).map { strdup($0) } + [nil]
    // The process becomes the other program, with the signals of a new one.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    for number in [SIGPIPE, SIGTTOU, SIGXFSZ] { signal(number, SIG_DFL) }
    execv(program, arguments)
    throw CommandFailure.failed(
      "\(program) cannot be started: \(String(cString: strerror(errno))); install it beside auricle"
    )
  }
}

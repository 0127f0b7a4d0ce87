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
    let program = try WebProgram.path()
    let arguments = ([WebProgram.name] + options).map { strdup($0) } + [nil]
    // The process becomes the other program, with the signals of a new one.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    for number in [SIGPIPE, SIGTTOU, SIGXFSZ] { signal(number, SIG_DFL) }
    execv(program, arguments)
    throw WebProgram.failure(program)
  }
}

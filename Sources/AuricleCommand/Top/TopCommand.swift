// auricle top

import ArgumentParser
import ControlSocket
import FoundationEssentials
import Glibc
import Session

struct TopCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "top", abstract: "Watch the running sessions.",
    discussion: """
      It shows each unit with its share of the period, on average over a second and at most, its voices and events, gain \
      reduction and latency; the level of each port, each mixer input and each output; connections; counters, and the last log messages. Keys: q quits; arrows, j, k, pages, home \
      and end scroll. If standard output or input is no terminal, it prints this once.
      """)

  @Option(
    help: ArgumentHelp("The session's JACK client name. Default: all sessions.", valueName: "name"),
    completion: .custom(completedSessions))
  var client: String?

  @Option(
    help: ArgumentHelp("Time between two updates, 0.1 to 60.", valueName: "seconds"))
  var interval = 0.5

  @Flag(help: "Print once, as text, and end.")
  var once = false

  func validate() throws {
    guard (0.1...60).contains(interval) else {
      throw ValidationError("--interval takes 0.1 to 60 seconds")
    }
  }

  func run() async throws {
    // The terminal's character encoding.
    setlocale(LC_CTYPE, "")
    let isUnicode = String(cString: nl_langinfo(Int32(CODESET))).uppercased() == "UTF-8"
    let signals = SignalStream()
    let isTerminal = isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0
    if once || !isTerminal {
      try print(isUnicode: isUnicode, until: signals)
    } else {
      try watch(isUnicode: isUnicode, until: signals)
    }
  }

  // MARK: Printing once

  private func print(isUnicode: Bool, until signals: SignalStream) throws {
    let folder = ControlFolder()
    // Reports the same errors as `ctl`.
    try ControlOptions.failing {
      let names = try folder.sessions()
      if names.isEmpty { throw ControlError.noSession(folder: folder.path) }
      if let client, !names.contains(client) {
        throw ControlError.unknownSession(client, known: names)
      }
    }
    let model = TopModel(folder, wanted: client, interval: 0.3)
    while !model.isComplete(patience: .seconds(3)) && !signals.hasArrived { usleep(20_000) }
    let state = model.state()
    let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap(Int.init) ?? 0
    let frame = TopFrame(columns: columns > 0 ? columns : 80, rows: nil, isUnicode: isUnicode)
    let lines = TopPicture(state, frame).lines.map { line in
      line.map(\.text).joined().replacing(/[ ]+$/, with: "")
    }
    try StandardOutput.write(lines.joined(separator: "\n"))
  }

  // MARK: Continuous view

  private func watch(isUnicode: Bool, until signals: SignalStream) throws {
    let model = TopModel(ControlFolder(), wanted: client, interval: interval)
    guard let screen = TopScreen() else {
      let kind = ProcessInfo.processInfo.environment["TERM"] ?? ""
      throw CommandFailure(
        message: "nothing is known of this terminal (TERM='\(kind)'); --once prints text", status: 1
      )
    }
    var scroll = 0
    while !signals.hasArrived && Self.isThere(STDIN_FILENO) {
      let rows = screen.rows
      let picture = TopPicture(
        model.state(),
        TopFrame(columns: screen.columns, rows: rows, isUnicode: isUnicode, scroll: scroll))
      scroll = min(scroll, picture.largestScroll)
      screen.show(picture.lines)
      guard let key = screen.key(within: 100) else { continue }
      if key == .quit { return }
      if key == .redraw { screen.clear() }
      scroll = key.scroll(from: scroll, rows: rows, largest: picture.largestScroll)
    }
  }

  /// Whether a terminal still exists.
  private static func isThere(_ descriptor: Int32) -> Bool {
    var readiness = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&readiness, 1, 0) <= 0 || Int32(readiness.revents) & (POLLHUP | POLLERR) == 0
  }
}

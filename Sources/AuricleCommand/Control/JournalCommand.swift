// auricle ctl journal

import ArgumentParser
import Session

struct JournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal",
    abstract: "List the changes of the session, each with its number, frame and author.",
    discussion: """
      The journal keeps the last 16384 changes. Without --since it prints the last 1000 of them, otherwise the first 1000 \
      from the frame on. An unknown frame, as of a change while nothing played, is shown as -.
      """)

  @Option(
    help: ArgumentHelp("The first frame.", valueName: "frame"),
    transform: sessionFrame)
  var since: Int64?

  @OptionGroup var options: ControlOptions

  func run() throws { try options.ask(.journal(since: since)) }
}

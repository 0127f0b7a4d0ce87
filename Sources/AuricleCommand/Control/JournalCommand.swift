// auricle ctl journal

import ArgumentParser
import Session

struct JournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal",
    abstract: "Tell what has changed in the session: on which frame, by whom, and what.",
    discussion: """
      The last 16384 changes are kept. Without --since the last 1000 of them are told, else the first 1000 from the frame \
      on. What is not known of a frame, as where nothing played, is shown as -.
      """)

  @Option(
    help: ArgumentHelp("The frame from which on they are told.", valueName: "frame"),
    transform: sessionFrame)
  var since: Int64?

  @OptionGroup var options: ControlOptions

  func run() throws { try options.ask(.journal(since: since)) }
}

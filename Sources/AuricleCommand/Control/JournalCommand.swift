// auricle ctl journal

import ArgumentParser
import SessionModel

struct JournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal",
    abstract: "List the changes of the session, each with its number, frame and author.",
    discussion: """
      The journal keeps the last 16384 changes. Without --since it prints the last 1000 of them, otherwise the first 1000 \
      from the frame on. An unknown frame, as of a change while nothing played, is shown as -. With --commands it prints \
      them as a script that makes them again, without those that were undone.
      """)

  @Option(
    help: ArgumentHelp("The first frame.", valueName: "frame"),
    transform: sessionFrame)
  var since: Int64?

  @Flag(help: "Print commands for a shell; a change without one is a comment.")
  var commands = false

  @OptionGroup var options: ControlOptions

  func validate() throws {
    guard !commands || !options.json else {
      throw ValidationError("--json has the commands too: give --commands or --json")
    }
  }

  func run() throws {
    guard commands else { return try options.ask(.journal(since: since)) }
    let answer = try ControlOptions.failing {
      try ControlOptions.ask(options.connect(), .journal(since: since))
    }
    guard case .journal(let journal) = answer, !journal.script.isEmpty else { return }
    try StandardOutput.write(journal.script)
  }
}

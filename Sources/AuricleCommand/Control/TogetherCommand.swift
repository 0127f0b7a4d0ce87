// auricle ctl together

import ArgumentParser
import SessionModel

/// A command of `auricle ctl` that can be combined with others in one change.
protocol CombinableCommand: ParsableCommand {
  var command: SessionCommand { get }
  var options: ControlOptions { get }
}

extension CombinableCommand {
  func run() throws { try options.ask(command) }
}

struct TogetherCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "together", abstract: "Carry several commands out as one change.",
    discussion: """
      Between the commands stands a comma of its own: together set piano/gain -3 , set lowpass/cutoff 500. Values take \
      effect on one frame; so do connect, disconnect, add, replace, remove, map and unmap. What is wrong with one \
      of them changes nothing, and undo takes all of them back. Options come before the commands.
      """)

  @Option(
    help: ArgumentHelp(
      "The frame on which all takes effect, as for set; without it one that is soon.",
      valueName: "frame"),
    transform: sessionFrame)
  var at: Int64?

  @OptionGroup var options: ControlOptions

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("The commands, with commas between them.", valueName: "command"))
  var words: [String]

  func validate() throws {
    _ = try commands()
  }

  func run() throws { try options.ask(.together(try commands(), frame: at)) }

  private func commands() throws -> [SessionCommand] {
    try words.split(separator: ",", omittingEmptySubsequences: false).map { words in
      let text = words.joined(separator: " ")
      let parsed: any ParsableCommand
      do { parsed = try ControlCommand.parseAsRoot(Array(words)) } catch {
        throw ValidationError("'\(text)': \(ControlCommand.message(for: error))")
      }
      guard let command = parsed as? any CombinableCommand else {
        throw ValidationError(
          "'\(text)' stands alone; together are set, or what changes units, connections and mappings"
        )
      }
      if case .together = command.command {
        throw ValidationError("'\(text)': --at comes before the commands, for all of them")
      }
      let options = command.options
      guard options.client == nil, options.name == nil, !options.json else {
        throw ValidationError("'\(text)': --client, --as and --json come before the commands")
      }
      return command.command
    }
  }
}

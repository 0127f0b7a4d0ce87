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
    commandName: "together", abstract: "Execute several commands as one change.",
    discussion: """
      Separate the commands by a comma between blanks: together set piano/gain -3 , set lowpass/cutoff 500. Values take \
      effect on one frame; so do insert, \(SessionCommand.names(.structure)). If one command is wrong, \
      nothing changes. undo takes all of them back. Options come before the commands.
      """)

  @Option(
    help: ArgumentHelp(
      "The frame on which they take effect, as counted by status. Default: within some cycles.",
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
    try words.split(separator: ",", omittingEmptySubsequences: false).flatMap { words in
      let text = words.joined(separator: " ")
      let parsed: any ParsableCommand
      do { parsed = try ControlCommand.parsed(Array(words)) } catch let failure as CommandFailure {
        throw ValidationError("'\(text)': \(failure.message)")
      } catch {
        throw ValidationError("'\(text)': \(ControlCommand.message(for: error))")
      }
      guard let command = parsed as? any CombinableCommand else {
        throw ValidationError(
          "'\(text)' cannot be combined; accepted: \(SessionCommand.names(.value)), or insert, "
            + SessionCommand.names(.structure))
      }
      var parts = [command.command]
      if case .together(let list, let frame) = command.command {
        guard frame == nil else {
          throw ValidationError("'\(text)': --at comes before the commands, for all of them")
        }
        parts = list
      }
      let options = command.options
      guard options.client == nil, options.name == nil, !options.json else {
        throw ValidationError("'\(text)': --client, --as and --json come before the commands")
      }
      return parts
    }
  }
}

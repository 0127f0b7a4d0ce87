// auricle ctl save, undo, redo

import ArgumentParser
import FoundationEssentials
import Session

struct SaveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save",
    abstract: "Save the session as it is now, for auricle run.",
    discussion: """
      Without FILE it writes the file that the session was started from or saved to last. Comments are not kept: a file \
      with comments or a layout of your own is first copied to FILE~.
      """)

  @Argument(help: "The TOML file to write.", completion: .file(extensions: ["toml"]))
  var file: String?

  @OptionGroup var options: ControlOptions

  func run() throws {
    // The session's working folder may differ.
    let here = URL(
      fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
    try options.ask(
      .save(file: file.map { URL(fileURLWithPath: $0, relativeTo: here).standardizedFileURL.path }))
  }
}

struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo the last changes made by commands.")

  @Argument(help: "Number of changes.")
  var steps: Int?

  @Option(
    help: ArgumentHelp(
      "Undo all changes after this one of the journal; -1 for all.", valueName: "number"))
  var to: Int?

  @OptionGroup var options: ControlOptions

  func validate() throws {
    guard steps.map({ $0 > 0 }) ?? true else {
      throw ValidationError("undo takes a number from 1 on")
    }
    guard steps == nil || to == nil else {
      throw ValidationError("undo takes a number of changes or --to: give one of them")
    }
  }

  func run() throws { try options.ask(.undo(steps: steps ?? 1, to: to)) }
}

struct RedoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Make changes again that were undone.")

  @Argument(help: "Number of changes.")
  var steps = 1

  @OptionGroup var options: ControlOptions

  func validate() throws {
    guard steps > 0 else { throw ValidationError("redo takes a number from 1 on") }
  }

  func run() throws { try options.ask(.redo(steps: steps)) }
}

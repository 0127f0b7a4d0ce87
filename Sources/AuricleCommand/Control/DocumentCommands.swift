// auricle ctl save, undo, redo

import ArgumentParser
import Foundation
import Session

struct SaveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save",
    abstract: "Save the session as it is now, for auricle run.",
    discussion: """
      Without FILE into the file that it was started from or saved to last. Comments are not kept: where there were \
      some, or a layout of your own, what was there is kept as FILE~.
      """)

  @Argument(help: "A TOML file, which is written.", completion: .file(extensions: ["toml"]))
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
    commandName: "undo", abstract: "Take back the last changes that were made by commands.")

  @Argument(help: "How many.")
  var steps = 1

  @OptionGroup var options: ControlOptions

  func validate() throws {
    guard steps > 0 else { throw ValidationError("undo takes a number from 1 on") }
  }

  func run() throws { try options.ask(.undo(steps: steps)) }
}

struct RedoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Make changes again that were undone.")

  @Argument(help: "How many.")
  var steps = 1

  @OptionGroup var options: ControlOptions

  func validate() throws {
    guard steps > 0 else { throw ValidationError("redo takes a number from 1 on") }
  }

  func run() throws { try options.ask(.redo(steps: steps)) }
}

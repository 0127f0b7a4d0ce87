// auricle manual

import ArgumentParser

/// The command that prints the manual page, for `make install`.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the manual page, in the language of man.",
    shouldDisplay: false)

  func run() throws {
    try StandardOutput.writeData(try ManualPage.text())
  }
}

// auricle manual

import ArgumentParser

/// Prints the manual page, for `make install`.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the manual page, in the language of man.",
    shouldDisplay: false)

  func run() throws {
    try StandardOutput.writeData(try ManualPage.text())
  }
}

// The parser's description of the commands, for generated pages.

import ArgumentParser
import FoundationEssentials

/// A command with its arguments and options.
struct CommandDescription: Decodable {
  struct Argument: Decodable {
    private struct Name: Decodable {
      let kind: String
      let name: String
    }

    private let kind: String
    private let names: [Name]?
    private let valueName: String?
    private let defaultValue: String?
    fileprivate let shouldDisplay: Bool
    let abstract: String?
    let isOptional: Bool

    /// The option: "--server", "--reconnect/--no-reconnect"; nil for a positional argument.
    var option: String? {
      let long = (names ?? []).filter { $0.kind == "long" }.map { "--" + $0.name }
      return long.isEmpty ? nil : long.joined(separator: "/")
    }

    /// Whether it is an option without a value.
    var isFlag: Bool { kind == "flag" }

    /// The placeholder for the value: "SERVER", or its choices.
    var valueWord: String {
      let name = valueName ?? "value"
      return name.contains("|") ? name : name.uppercased()
    }

    /// The default value; nil for flags, and if there is none.
    var shownDefault: String? {
      guard let defaultValue, !defaultValue.isEmpty, !isFlag else { return nil }
      return defaultValue
    }

    /// Whether every command has it.
    fileprivate var isCommon: Bool {
      (names ?? []).contains { ["help", "version"].contains($0.name) }
    }
  }

  private struct Tool: Decodable { let command: CommandDescription }

  let commandName: String
  let abstract: String?
  let discussion: String?
  private let arguments: [Argument]?
  private let subcommands: [CommandDescription]?
  private let shouldDisplay: Bool?

  /// Returns the description of the whole program.
  static func ofProgram() throws -> CommandDescription {
    try JSONDecoder().decode(Tool.self, from: Data(AuricleCommand._dumpHelp().utf8)).command
  }

  /// Subcommands shown in help.
  var shownSubcommands: [CommandDescription] {
    (subcommands ?? []).filter { $0.shouldDisplay ?? true && $0.commandName != "help" }
  }

  /// The leaf commands with the words that call them: "units", "ctl list".
  var calls: [(words: String, command: CommandDescription)] {
    shownSubcommands.flatMap { command in
      let inner = command.calls
      return inner.isEmpty
        ? [(command.commandName, command)]
        : inner.map { ("\(command.commandName) \($0.words)", $0.command) }
    }
  }

  /// Arguments shown in help, without `--help` and `--version`.
  var shownArguments: [Argument] {
    (arguments ?? []).filter { $0.shouldDisplay && !$0.isCommon }
  }
}

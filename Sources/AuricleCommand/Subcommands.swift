// The subcommands at the beginning of a command line.

import ArgumentParser
import Configuration

extension ParsableCommand {
  /// Parses a command line. Upper and lower case are the same in subcommands.
  ///
  /// - Parameter words: those after the program's name.
  /// - Throws: `CommandFailure` with status 2 for a word in place of a subcommand; errors of the
  ///   parser.
  static func parsed(_ words: [String]) throws -> any ParsableCommand {
    var words = words
    var parent = configuration
    for (place, word) in words.enumerated() {
      let names = parent.subcommands.compactMap { $0.configuration.commandName }
      // `help` is the parser's own.
      if names.isEmpty || word.hasPrefix("-") || word == "help" { break }
      guard let index = names.firstIndex(where: { $0 == word.lowercased() }) else {
        let near = nearestMatch(to: word, among: names).map { ": did you mean '\($0)'?" }
        let shown = parent.subcommands.filter { $0.configuration.shouldDisplay }
          .compactMap { $0.configuration.commandName }.joined(separator: ", ")
        throw CommandFailure(
          message: "there is no command '\(harmless(word, isOneLine: true))'"
            + (near.map { "\($0) Accepted: " } ?? "; accepted: ") + shown, status: 2)
      }
      words[place] = names[index]
      parent = parent.subcommands[index].configuration
    }
    return try parseAsRoot(words)
  }
}

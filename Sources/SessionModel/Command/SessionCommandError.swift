// Errors of refused commands.

import Configuration

/// A refused command: nothing has changed. Its texts are worded like those of configuration
/// problems.
public struct SessionCommandError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The error, with the nearest accepted name if one is near.
  public let message: String
  /// The accepted values, for people to read; nil if the message contains them.
  public let accepted: String?

  public init(_ message: String, accepted: String? = nil) {
    self.message = message
    self.accepted = accepted
  }

  package init(_ message: String, accepted: [String]) {
    self.init(message, accepted: accepted.isEmpty ? "none" : accepted.joined(separator: ", "))
  }

  package init(_ problem: ConfigurationProblem) {
    self.init(problem.message, accepted: problem.accepted)
  }

  /// Converts an error that a command has thrown.
  /// - Parameter number: its number among several commands, from 1; nil for a single one.
  package init(_ error: any Error, of number: Int? = nil) {
    let plain =
      switch error {
      case let error as SessionCommandError: error
      case let problem as ConfigurationProblem: SessionCommandError(problem)
      case let error as ConfigurationError: SessionCommandError(error.first)
      default: SessionCommandError("\(error)")
      }
    let prefix = number.map { "command \($0): " } ?? ""
    self.init(prefix + plain.message, accepted: plain.accepted)
  }

  /// Returns the error for a name that is not among `accepted`.
  package static func unknown(
    _ kind: String, _ name: String, in context: String, accepted: [String]
  ) -> SessionCommandError {
    SessionCommandError(
      ConfigurationProblem.unknown(kind, name, in: context, accepted: accepted, at: .command))
  }

  /// `message; accepted: …`, on one line.
  public var description: String {
    guard let accepted else { return message }
    return message + (message.hasSuffix("?") ? " Accepted: " : "; accepted: ") + accepted
  }
}

extension SourcePosition {
  /// The position of text that is in no file.
  package static let command = SourcePosition(file: "the command")
}

// Why a session has not done what it was asked for.

import Configuration

/// A command that was refused: nothing has changed. What is wrong and what would be accepted are
/// said as of configurations.
public struct SessionCommandError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  /// What is wrong, and the nearest accepted name where one is near.
  public let message: String
  /// What would be accepted, for people to read; nil where the message says it.
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

  /// What went wrong when a command was carried out.
  /// - Parameter number: which of several commands it was, from 1; nil for the only one.
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

  /// A name that is none of `accepted`.
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
  /// The place of what is in no file.
  package static let command = SourcePosition(file: "the command")
}

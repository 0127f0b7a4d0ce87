// Version and abilities of a session.

import Platform

/// The version and the abilities of a session.
public struct HelloReading: Sendable, Hashable, Codable {
  /// The version of the program.
  public var version: String
  /// The names of all commands.
  public var commands: [String]
  /// The topics that a watch can have.
  public var topics: [String]

  /// The session's of this program.
  package static let current = HelloReading(
    version: programVersion, commands: CommandForm.all.map(\.name),
    topics: SessionCommand.WatchTopic.allCases.map(\.rawValue))
}

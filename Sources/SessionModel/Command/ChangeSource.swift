// Sources of changes.

/// The source of a change.
public enum ChangeSource: String, Sendable, Hashable, Codable {
  /// The local socket: `auricle ctl` and similar clients.
  case ctl
  case osc
  /// The session's file, after it was written.
  case file
  /// The program that runs the session.
  case program
  /// A session manager.
  case nsm
  /// A MIDI controller.
  case controller
  /// An undone change.
  case undo
  /// A redone change.
  case redo
}

/// The source and client of a change.
package struct ChangeAuthor: Sendable, Hashable {
  package var source: ChangeSource
  /// The name of the client; nil if it has sent none.
  package var client: String?

  package init(_ source: ChangeSource, client: String? = nil) {
    (self.source, self.client) = (source, client)
  }

  package static let controller = ChangeAuthor(.controller)

  /// The author of the work being executed.
  @TaskLocal package static var current = ChangeAuthor(.ctl)
}

// Who changes a session.

/// Who changes a session.
public enum ChangeSource: String, Sendable, Hashable, Codable {
  /// The local socket: `auricle ctl` and its like.
  case ctl
  case osc
  /// The session's file, which was written.
  case file
  /// The program that runs the session.
  case program
  /// A session manager.
  case nsm
  /// A MIDI controller.
  case controller
  /// A change that is taken back.
  case undo
  /// One that is made again.
  case redo
}

/// Whose a change is.
package struct ChangeAuthor: Sendable, Hashable {
  package var source: ChangeSource
  /// The name of the client; nil for one that has told none.
  package var client: String?

  package init(_ source: ChangeSource, client: String? = nil) {
    (self.source, self.client) = (source, client)
  }

  package static let controller = ChangeAuthor(.controller)

  /// Whose work is being carried out.
  @TaskLocal package static var current = ChangeAuthor(.ctl)
}

// A session manager's project.

import Configuration
import FoundationEssentials
import SessionModel

/// A project: the location of its files, and the client's name.
package struct NSMProject: Sendable, Equatable {
  /// The path of the client's folder, or the prefix of all its files.
  package let path: String
  /// The session's name, for people.
  package let displayName: String
  /// The JACK client's name.
  package let clientID: String

  /// The error of invalid properties; nil if the project can be tried.
  var fault: NSMFailure? {
    guard path.hasPrefix("/"), path.count > 1, !path.hasSuffix("/") else {
      return NSMFailure(
        .createFailed, "\(quoted(path)) is no place for a project; accepted: an absolute path")
    }
    do throws(NameError) { _ = try ClientName(clientID) } catch {
      return NSMFailure(.general, "\(error)")
    }
    return nil
  }

  package var folder: SessionFolder {
    SessionFolder(URL(fileURLWithPath: path, isDirectory: true))
  }
}

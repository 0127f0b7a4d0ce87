// What a session manager has a client open.

import Configuration
import Foundation
import SessionModel

/// A project: where its files are to be, and what the client is called meanwhile.
package struct NSMProject: Sendable, Equatable {
  /// All that the client stores is in a folder of this path, or in files that begin with it.
  package let path: String
  /// The session's name, for people.
  package let displayName: String
  /// The JACK client's name.
  package let clientID: String

  /// What is wrong with it; nil for one that can be tried.
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

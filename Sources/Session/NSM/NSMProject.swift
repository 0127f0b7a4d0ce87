// What a session manager has a client open.

import Configuration
import Foundation

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
    // JACK's names have 63 bytes; a colon ends a client's name, a slash ends a file's.
    let isName =
      (1...63).contains(clientID.utf8.count)
      && !clientID.unicodeScalars.contains {
        $0.properties.generalCategory == .control || $0 == ":" || $0 == "/"
      }
    guard isName else {
      return NSMFailure(
        .general,
        "\(quoted(clientID)) is no name for a JACK client; accepted: 1 to 63 bytes without ':', '/' "
          + "and control characters")
    }
    return nil
  }

  package var folder: SessionFolder {
    SessionFolder(URL(fileURLWithPath: path, isDirectory: true))
  }
}

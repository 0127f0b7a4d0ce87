// How a session manager's server starts this program.

import Foundation

/// The server that NSM_URL leads to.
enum SessionManager {
  /// What the environment says of it; nil where there is none.
  static var url: String? {
    let url = ProcessInfo.processInfo.environment["NSM_URL"]
    return url?.isEmpty == false ? url : nil
  }

  /// The arguments of a program that was called without any, nil for those that it has: servers
  /// give none.
  static var arguments: [String]? {
    CommandLine.arguments.count <= 1 && url != nil ? [RunCommand._commandName] : nil
  }
}

// Detection of a session manager that starts this program.

import FoundationEssentials

/// The session manager's server in NSM_URL.
enum SessionManager {
  /// The server's URL from the environment; nil if there is none.
  static var url: String? {
    let url = ProcessInfo.processInfo.environment["NSM_URL"]
    return url?.isEmpty == false ? url : nil
  }

  /// Arguments in place of missing ones, since servers start programs without any; nil to use the
  /// actual arguments.
  static var arguments: [String]? {
    CommandLine.arguments.count <= 1 && url != nil ? [RunCommand._commandName] : nil
  }
}

// Detection of a session manager that starts this program.

import FoundationEssentials

/// The session manager's server in NSM_URL.
enum SessionManager {
  /// The server's URL from the environment; nil if there is none.
  static var url: String? {
    let url = ProcessInfo.processInfo.environment["NSM_URL"]
    return url?.isEmpty == false ? url : nil
  }

  /// The words of the command line; `run` in place of none, since servers start programs without.
  static var arguments: [String] {
    let words = Array(CommandLine.arguments.dropFirst())
    return words.isEmpty && url != nil ? [RunCommand._commandName] : words
  }
}

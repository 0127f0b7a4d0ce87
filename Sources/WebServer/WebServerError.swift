// Errors of starting the server.

public import ControlSocket

/// An error of starting a server, or of reaching the running one.
public enum WebServerError: Error, Sendable, CustomStringConvertible {
  /// The folder of the sessions cannot be used.
  case folder(ControlError)
  /// The file with the secret cannot be made.
  case file(path: String, reason: String)
  /// Another server of this user is running.
  case isRunning(String)
  /// No server of this user is running.
  case notRunning
  /// The address is no number, or stands for all addresses and no name is given.
  case address(String, accepted: String)
  /// A name is none of a host.
  case host(String)
  /// The address and port cannot be listened to.
  case listening(address: String, reason: String)

  public var description: String {
    switch self {
    case .folder(let error): error.description
    case .file(let path, let reason): "\(path): \(reason)"
    case .isRunning(let address):
      "it is running already, at \(address); auricle web --link prints an address to open"
    case .notRunning: "it is not running; start it: auricle web"
    case .address(let text, let accepted): "cannot listen to '\(text)'; accepted: \(accepted)"
    case .host(let text):
      "'\(text)' is no host's name; accepted: letters, digits, dots and hyphens"
    case .listening(let address, let reason): "cannot listen to \(address): \(reason)"
    }
  }
}

extension WebServerError {
  /// Whether the options are wrong.
  public var isBadUsage: Bool {
    switch self {
    case .address, .host: true
    case .folder, .file, .isRunning, .notRunning, .listening: false
    }
  }
}

// Messages from session managers.

import OSC

/// Requests that need a reply or an error.
package enum NSMRequest: String, Sendable, CaseIterable {
  case open = "/nsm/client/open"
  case save = "/nsm/client/save"
}

/// A message from a session manager to its client.
package enum NSMServerMessage: Sendable, Equatable {
  /// The client now belongs to the session.
  case accepted(by: String, capabilities: Set<String>)
  case refused(NSMFailure)
  case open(NSMProject)
  case save
  /// All clients of the session are running.
  case sessionIsLoaded
  /// A request with other arguments than in the protocol.
  case malformed(NSMRequest)

  static let announcement = "/nsm/server/announce"

  /// - Returns: nil for a message without meaning for this client.
  package init?(_ message: OSCMessage) {
    let arguments = message.arguments
    switch message.address {
    case "/reply":
      guard arguments.first == .string(Self.announcement) else { return nil }
      let texts = arguments.dropFirst().map(\.text)
      // Old servers omit the last arguments.
      self = .accepted(
        by: texts.dropFirst().first.flatMap { $0 } ?? "",
        capabilities: Self.capabilities(texts.dropFirst(2).first.flatMap { $0 } ?? ""))
    case "/error":
      guard arguments.first == .string(Self.announcement) else { return nil }
      guard arguments.count == 3, case .int32(let number) = arguments[1],
        let text = arguments[2].text
      else {
        self = .refused(NSMFailure(.general, ""))
        return
      }
      self = .refused(NSMFailure(number: number, text))
    case NSMRequest.open.rawValue:
      guard arguments.count == 3, let path = arguments[0].text, let name = arguments[1].text,
        let clientID = arguments[2].text
      else {
        self = .malformed(.open)
        return
      }
      self = .open(NSMProject(path: path, displayName: name, clientID: clientID))
    case NSMRequest.save.rawValue: self = arguments.isEmpty ? .save : .malformed(.save)
    case "/nsm/client/session_is_loaded": self = .sessionIsLoaded
    default: return nil
    }
  }

  /// Parses a list such as `:switch:dirty:`.
  private static func capabilities(_ text: String) -> Set<String> {
    Set(text.split(separator: ":").map(String.init))
  }
}

extension OSCArgument {
  fileprivate var text: String? {
    if case .string(let text) = self { return text }
    return nil
  }
}

// Messages to a session manager.

import Configuration
import OSC

/// The announcement of this program.
package struct NSMAnnouncement: Sendable, Equatable {
  /// The supported version of the protocol.
  static let version: (major: Int32, minor: Int32) = (1, 1)

  /// The protocol's capabilities that this program has.
  static let capabilities = ["switch", "dirty", "progress", "message"]

  /// The program's name, from which servers derive client names: `Auricle.nXYZA`.
  static let name = "Auricle"

  /// The path or name of this program when it was started; the server starts it again by that.
  package let executable: String
  package let process: Int32
}

/// A message to a session manager.
package enum NSMClientMessage: Sendable, Equatable {
  case announcement(NSMAnnouncement)
  case reply(NSMRequest, String)
  case error(NSMRequest, NSMFailure)
  /// The progress of an opening, 0 to 1.
  case progress(Float)
  case isDirty(Bool)
  /// A message with priority 0 to 3, 3 being the most important.
  case message(priority: Int32, String)
  /// A description of this client's content, in addition to its name.
  case label(String)
  /// Checks whether the server runs. Servers answer it, though no text on the protocol says so.
  case ping

  static let pingAddress = "/osc/ping"

  /// The maximum length of a text in Unicode scalars: a message must fit into one datagram.
  static let maximumText = 2000

  package var osc: OSCMessage {
    switch self {
    case .announcement(let announcement):
      OSCMessage(
        NSMServerMessage.announcement,
        [
          .string(NSMAnnouncement.name),
          .string(":" + NSMAnnouncement.capabilities.map { $0 + ":" }.joined()),
          .string(announcement.executable), .int32(NSMAnnouncement.version.major),
          .int32(NSMAnnouncement.version.minor), .int32(announcement.process),
        ])
    case .reply(let request, let text):
      OSCMessage("/reply", [.string(request.rawValue), Self.shown(text)])
    case .error(let request, let failure):
      OSCMessage(
        "/error", [.string(request.rawValue), .int32(failure.number), Self.shown(failure.text)])
    case .progress(let part): OSCMessage("/nsm/client/progress", [.float(min(max(part, 0), 1))])
    case .isDirty(let isDirty):
      OSCMessage(isDirty ? "/nsm/client/is_dirty" : "/nsm/client/is_clean")
    case .message(let priority, let text):
      OSCMessage("/nsm/client/message", [.int32(priority), Self.shown(text)])
    case .label(let text): OSCMessage("/nsm/client/label", [Self.shown(text)])
    case .ping: OSCMessage(Self.pingAddress)
    }
  }

  private static func shown(_ text: String) -> OSCArgument {
    .string(printable(text.replacing("\n", with: "; "), maximumText))
  }
}

// The time of a session manager's last message.

import OSC
import Synchronization

/// Tracks a server's last message, and whether it answers pings.
///
/// UDP has no connections, and a client that the server has started may have inherited its socket.
/// The port is then open as long as that client lives.
final class NSMServerLife: Sendable {
  private struct State {
    var lastHeard = ContinuousClock.now
    var answersPings = false
  }

  private let state = Mutex(State())

  /// Records that a message from the server has arrived.
  /// - Thread: [any]
  func take(_ message: OSCMessage, at now: ContinuousClock.Instant = .now) {
    let isAnswer =
      message.address == "/reply"
      && message.arguments.first == .string(NSMClientMessage.pingAddress)
    state.withLock { state in
      state.lastHeard = now
      if isAnswer { state.answersPings = true }
    }
  }

  /// The time since the server's last message; nil if it has never answered a ping.
  /// - Thread: [any]
  var silence: Duration? { silence(at: .now) }

  func silence(at now: ContinuousClock.Instant) -> Duration? {
    state.withLock { $0.answersPings ? now - $0.lastHeard : nil }
  }
}

// When a session manager was heard last.

import OSC
import Synchronization

/// Knows whether a server answers when it is asked whether it is there.
///
/// UDP has no connections, and a client that the server has started may have inherited its socket:
/// the port is then open for as long as that client lives.
final class NSMServerLife: Sendable {
  private struct State {
    var lastHeard = ContinuousClock.now
    var answersPings = false
  }

  private let state = Mutex(State())

  /// Takes in that the server has said something.
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

  /// How long it has said nothing; nil for one that does not answer pings at all.
  /// - Thread: [any]
  var silence: Duration? { silence(at: .now) }

  func silence(at now: ContinuousClock.Instant) -> Duration? {
    state.withLock { $0.answersPings ? now - $0.lastHeard : nil }
  }
}

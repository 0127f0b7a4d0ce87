// Events of a running session's server.

import SessionModel

extension SessionLoop {
  /// - Throws: `serverGone`, `graph`.
  func take(_ news: HostNotice) throws(SessionError) {
    switch news {
    case .portArrived(let port):
      session.host?.note(arrived: port)
      settleSoon()
    case .connected: settleSoon()
    case .shutdown(let reason):
      // The former host may report it more than once.
      guard session.host != nil else { return }
      hostNews?.cancel()
      try session.leave(reason)
      isSettling = false
      waiting = ServerWait()
      sources.later(.reconnect, after: .milliseconds(waiting.milliseconds))
    default: try session.handle(news)
    }
  }

  /// Schedules `settle`. A client's ports and connections appear one after the other, and are
  /// handled together.
  private func settleSoon() {
    if !isSettling { sources.later(.settle, after: .milliseconds(5)) }
    isSettling = true
  }

  /// Handles new ports and connections.
  func settle() {
    isSettling = false
    session.host?.settle()
    session.sendToNewControls()
  }

  /// - Throws: `graph` if the units cannot play at the server's sample rate.
  func reconnect() throws(SessionError) {
    guard try session.reconnect(&waiting) else {
      return sources.later(.reconnect, after: .milliseconds(waiting.milliseconds))
    }
    followNews()
  }

  /// Follows the notices of the host.
  func followNews() {
    hostNews = session.host?.forwardNews { [send = sources.send] in send(.host($0)) }
  }
}

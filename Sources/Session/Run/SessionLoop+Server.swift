// The server of a running session.

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
      // The host before may tell it more than once.
      guard session.host != nil else { return }
      hostNews?.cancel()
      try session.leave(reason)
      isSettling = false
      waiting = ServerWait()
      sources.later(.reconnect, after: .milliseconds(waiting.milliseconds))
    default: try session.handle(news)
    }
  }

  /// A client's ports come one after the other, and so do connections: they are looked at together.
  private func settleSoon() {
    if !isSettling { sources.later(.settle, after: .milliseconds(5)) }
    isSettling = true
  }

  /// Looks at what has come.
  func settle() {
    isSettling = false
    session.host?.settle()
    session.tellNewControls()
  }

  /// - Throws: `graph`, when the units cannot play at the server's sample rate.
  func reconnect() throws(SessionError) {
    guard try session.reconnect(&waiting) else {
      return sources.later(.reconnect, after: .milliseconds(waiting.milliseconds))
    }
    followNews()
  }

  /// Hears of what the host tells.
  func followNews() {
    hostNews = session.host?.forwardNews { [send = sources.send] in send(.host($0)) }
  }
}

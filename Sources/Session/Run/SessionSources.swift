// Where the events of a running session come from.

import SessionModel

/// What a running session waits for.
enum SessionEvent: Sendable {
  case host(HostNews)
  case signal(SignalStream.Request)
  /// Once a second.
  case tick
  /// Twenty times a second.
  case look
  case settle
  case reconnect
  case busName(unit: String, bus: Int, name: String)
  case request(SessionRequest)
  /// Something for one of those by whom others reach the session, by its place.
  case remote(Int)
  /// While the host changes what is rendered.
  case exchange
  case errand(SessionErrand)
}

/// Brings events of all kinds into one stream, in the order in which they come.
final class SessionSources {
  let events: AsyncStream<SessionEvent>
  private let continuation: AsyncStream<SessionEvent>.Continuation
  private let time: any SessionTime
  private var tasks: [Task<Void, Never>] = []
  private var timers: [SessionTimer] = []

  init(_ time: any SessionTime) {
    self.time = time
    (events, continuation) = AsyncStream<SessionEvent>.makeStream()
  }

  /// Brings an event, on any thread.
  var send: @Sendable (SessionEvent) -> Void {
    { [continuation] in continuation.yield($0) }
  }

  /// Brings an event again and again.
  func every(_ interval: Duration, _ event: SessionEvent) {
    timers.append(time.every(interval) { [continuation] in continuation.yield(event) })
  }

  /// Brings an event once, after a while.
  func later(_ event: SessionEvent, after duration: Duration) {
    Task { [time, continuation] in
      try? await time.sleep(for: duration)
      continuation.yield(event)
    }
  }

  /// Brings an event for each element of a stream, until the end of the session.
  func forward<Element: Sendable>(
    _ stream: AsyncStream<Element>?, as event: @escaping @Sendable (Element) -> SessionEvent
  ) {
    guard let stream else { return }
    tasks.append(
      Task { [continuation] in for await element in stream { continuation.yield(event(element)) } })
  }

  /// Brings nothing more; what has come and was not taken goes, so that whoever waits for it hears
  /// of that.
  func close() async {
    for timer in timers { timer.cancel() }
    for task in tasks { task.cancel() }
    continuation.finish()
    for await _ in events {}
  }
}

// Where the events of a running session come from.

import Foundation
import SessionModel

/// What a running session waits for.
enum SessionEvent: Sendable {
  case host(HostNotice)
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
  case errand(SessionTask)
}

/// Brings events of all kinds together, in the order in which they come.
final class SessionSources {
  /// That something has come.
  let wakes: AsyncStream<Void>
  private let box: EventBox
  private let time: any SessionTime
  private var signals: Task<Void, Never>?
  private var timers: [SessionTimer] = []

  init(_ time: any SessionTime) {
    self.time = time
    let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    (self.wakes, box) = (wakes, EventBox(wake))
  }

  /// Brings an event, on any thread.
  var send: @Sendable (SessionEvent) -> Void { { [box] in box.add($0) } }

  /// Takes what has come.
  func take() -> [SessionEvent] { box.take() }

  /// Brings an event again and again.
  func every(_ interval: Duration, _ event: SessionEvent) {
    timers.append(time.every(interval) { [box] in box.add(event) })
  }

  /// Brings an event once, after a while.
  func later(_ event: SessionEvent, after duration: Duration) {
    Task { [time, box] in
      try? await time.sleep(for: duration)
      box.add(event)
    }
  }

  /// Brings the signals that the process gets.
  func forward(_ requests: AsyncStream<SignalStream.Request>?) {
    guard let requests else { return }
    signals = Task { [box] in for await request in requests { box.add(.signal(request)) } }
  }

  /// Brings nothing more; what has come and was not taken goes, so that whoever waits for it hears
  /// of that.
  func close() {
    for timer in timers { timer.cancel() }
    signals?.cancel()
    box.close()
  }
}

/// Events on their way.
private final class EventBox: @unchecked Sendable {
  private let wake: AsyncStream<Void>.Continuation
  // A Mutex hides from ThreadSanitizer what is handed over by it.
  private let lock = NSLock()
  /// Nil once it is closed.
  private var events: [SessionEvent]? = []

  init(_ wake: AsyncStream<Void>.Continuation) { self.wake = wake }

  func add(_ event: SessionEvent) {
    lock.withLock { events?.append(event) }
    wake.yield()
  }

  func take() -> [SessionEvent] {
    lock.withLock {
      defer { if events != nil { events = [] } }
      return events ?? []
    }
  }

  func close() {
    // Let go of outside the lock.
    _ = lock.withLock {
      defer { events = nil }
      return events
    }
    wake.finish()
  }
}

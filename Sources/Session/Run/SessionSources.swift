// Sources of a running session's events.

import Glibc
import Platform
import SessionModel

/// An event that a running session waits for.
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
  /// Work for a remote control of the session, by its index.
  case remote(Int)
  /// Sent while the host changes the rendered graph.
  case exchange
  case task(SessionTask)
}

/// Collects events of all kinds, in the order of their arrival.
final class SessionSources {
  /// Yields when events have arrived.
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

  /// Adds an event, on any thread.
  var send: @Sendable (SessionEvent) -> Void { { [box] in box.add($0) } }

  /// Removes and returns the events that have arrived.
  func take() -> [SessionEvent] { box.take() }

  /// Adds an event repeatedly.
  func every(_ interval: Duration, _ event: SessionEvent) {
    timers.append(time.every(interval) { [box] in box.add(event) })
  }

  /// Adds an event once, after a delay.
  func later(_ event: SessionEvent, after duration: Duration) {
    Task { [time, box] in
      try? await time.sleep(for: duration)
      box.add(event)
    }
  }

  /// Adds the signals that the process receives.
  func forward(_ requests: AsyncStream<SignalStream.Request>?) {
    guard let requests else { return }
    signals = Task { [box] in for await request in requests { box.add(.signal(request)) } }
  }

  /// Accepts no more events. Pending events are dropped, so that those who wait for their answers
  /// are notified.
  func close() {
    for timer in timers { timer.cancel() }
    signals?.cancel()
    box.close()
  }
}

/// Queue of events.
private final class EventBox: @unchecked Sendable {
  private let wake: AsyncStream<Void>.Continuation
  private let lock = Lock()
  /// Pending events; nil once it is closed.
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
    // Released outside the lock.
    _ = lock.withLock {
      defer { events = nil }
      return events
    }
    wake.finish()
  }
}

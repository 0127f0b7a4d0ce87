// A time that is stepped by a test.

import Session
import Synchronization

/// A session's time that passes only in calls of `advance`.
public final class SteppedTime: SessionTime {
  private struct Sleeper {
    let end: ContinuousClock.Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct Timer {
    let interval: Duration
    var next: ContinuousClock.Instant
    let body: @Sendable () -> Void
  }

  private struct State {
    var now: ContinuousClock.Instant
    var lastNumber = 0
    var sleepers: [Int: Sleeper] = [:]
    var timers: [Int: Timer] = [:]

    mutating func makeNumber() -> Int {
      lastNumber += 1
      return lastNumber
    }
  }

  private let start = ContinuousClock.now
  private let state: Mutex<State>

  public init() { state = Mutex(State(now: start)) }

  public var now: ContinuousClock.Instant { state.withLock { $0.now } }

  /// Time since the start.
  public var elapsed: Duration { now - start }

  package func sleep(for duration: Duration) async throws {
    let number = state.withLock { $0.makeNumber() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isAsleep = state.withLock { state in
          let end = state.now + duration
          guard end > state.now, !Task.isCancelled else { return false }
          state.sleepers[number] = Sleeper(end: end, continuation: continuation)
          return true
        }
        if !isAsleep { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation.resume(
        throwing: CancellationError())
    }
    try Task.checkCancellation()
  }

  package func every(_ interval: Duration, _ body: @escaping @Sendable () -> Void) -> SessionTimer {
    let number = state.withLock { state in
      let number = state.makeNumber()
      state.timers[number] = Timer(interval: interval, next: state.now + interval, body: body)
      return number
    }
    return SessionTimer { [weak self] in
      self?.state.withLock { $0.timers[number] = nil }
    }
  }

  /// Advances the time. Wakes sleepers and calls timers in the order of their due times.
  public func advance(by duration: Duration) {
    let end = now + duration
    while true {
      let due = state.withLock { state -> (@Sendable () -> Void)? in
        let timers = state.timers.map { (next: $0.value.next, key: $0.key, isTimer: true) }
        let sleepers = state.sleepers.map { (next: $0.value.end, key: $0.key, isTimer: false) }
        guard
          let first = (timers + sleepers).min(by: { ($0.next, $0.key) < ($1.next, $1.key) }),
          first.next <= end
        else {
          state.now = end
          return nil
        }
        state.now = max(state.now, first.next)
        if !first.isTimer {
          guard let sleeper = state.sleepers.removeValue(forKey: first.key) else { return nil }
          return { sleeper.continuation.resume() }
        }
        guard var timer = state.timers[first.key] else { return nil }
        timer.next += timer.interval
        state.timers[first.key] = timer
        return timer.body
      }
      guard let due else { return }
      due()
    }
  }
}

// Signals to a session, as events.

import Glibc
import SessionModel
import Synchronization

/// SIGINT, SIGTERM, SIGHUP and SIGUSR1, which `SignalWatch` takes. The first one requests an end.
/// If the session has a file, SIGHUP requests that it be read again, unless the terminal has gone,
/// and SIGUSR1 that it be saved.
public final class SignalStream: Sendable {
  public enum Request: Sendable, Equatable {
    /// - Parameter signal: the signal's number.
    case end(signal: Int32)
    case readAgain
    case save
  }

  private let listeners = SignalListeners()

  /// Begins to take the signals.
  /// - Parameter hasFile: whether SIGHUP requests that a file be read again, and SIGUSR1 that it be
  ///   saved.
  /// - Thread: [control]
  public init(hasFile: Bool = false) {
    let hangUp = hasFile ? HangUp() : nil
    SignalTaker.take { [listeners] number in
      if number == SIGUSR1, hasFile {
        listeners.send(.save)
        return false
      }
      if number == SIGHUP, let hangUp, !hangUp.isOfTerminal() {
        listeners.send(.readAgain)
        return false
      }
      listeners.send(.end(signal: number))
      return true
    }
  }

  /// A separate stream for each caller. It contains an earlier request for an end. The first stream
  /// also contains a request that no stream has received.
  /// - Thread: [any]
  public var requests: AsyncStream<Request> { listeners.add() }

  /// Whether an end was requested.
  /// - Thread: [any]
  public var hasArrived: Bool { listeners.hasEnd }
}

/// Streams that wait for signals, and earlier requests.
private final class SignalListeners: Sendable {
  private typealias Continuation = AsyncStream<SignalStream.Request>.Continuation

  private struct State {
    var end: SignalStream.Request?
    /// Requests other than an end that no stream has received. Repetitions count once.
    var unheard: [SignalStream.Request] = []
    var listeners: [Int: Continuation] = [:]
    var lastNumber = 0
  }

  private let state = Mutex(State())

  var hasEnd: Bool { state.withLock { $0.end != nil } }

  func add() -> AsyncStream<SignalStream.Request> {
    let (stream, continuation) = AsyncStream<SignalStream.Request>.makeStream()
    let number = state.withLock { state in
      for request in state.unheard { continuation.yield(request) }
      if let end = state.end { continuation.yield(end) }
      state.unheard = []
      state.lastNumber += 1
      state.listeners[state.lastNumber] = continuation
      return state.lastNumber
    }
    continuation.onTermination = { [weak self] _ in self?.remove(number) }
    return stream
  }

  private func remove(_ number: Int) {
    // Released outside the lock.
    _ = state.withLock { $0.listeners.removeValue(forKey: number) }
  }

  func send(_ request: SignalStream.Request) {
    let listeners = state.withLock { state in
      if case .end = request {
        state.end = request
      } else if state.listeners.isEmpty, !state.unheard.contains(request) {
        state.unheard.append(request)
      }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.yield(request) }
  }
}

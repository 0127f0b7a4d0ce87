// The signals that a session gets, as events.

import Foundation
import Synchronization

/// SIGINT, SIGTERM and SIGHUP, which `SignalWatch` takes: the first one asks for an end. Where a
/// file can be read again, SIGHUP asks for that, unless it says that the terminal has gone.
public final class SignalStream: Sendable {
  public enum Request: Sendable, Equatable {
    /// - Parameter signal: the signal's number.
    case end(signal: Int32)
    case readAgain
  }

  /// For one consumer.
  public let requests: AsyncStream<Request>
  private let arrived: ArrivalFlag

  /// Begins to take the signals.
  /// - Parameter readsAgain: whether SIGHUP asks for the file to be read again.
  /// - Thread: [control]
  public init(readsAgain: Bool = false) {
    let (stream, continuation) = AsyncStream<Request>.makeStream()
    let flag = ArrivalFlag()
    let hangUp = readsAgain ? HangUp() : nil
    requests = stream
    arrived = flag
    SignalWatch.take { number in
      if number == SIGHUP, let hangUp, !hangUp.isOfTerminal() {
        continuation.yield(.readAgain)
        return false
      }
      flag.raise()
      continuation.yield(.end(signal: number))
      return true
    }
  }

  /// Whether an end was asked for.
  /// - Thread: [any]
  public var hasArrived: Bool { arrived.isRaised }
}

/// A flag that one thread raises and others read.
private final class ArrivalFlag: Sendable {
  private let flag = Atomic(false)

  var isRaised: Bool { flag.load(ordering: .acquiring) }

  func raise() { flag.store(true, ordering: .releasing) }
}

// The signals that ask for an end, as events.

import Synchronization

/// SIGINT, SIGTERM and SIGHUP, which `SignalWatch` takes: the first one asks for an end.
public final class SignalStream: Sendable {
  /// The signal's number, for one consumer.
  public let signals: AsyncStream<Int32>
  private let arrived: ArrivalFlag

  /// Begins to take the signals.
  /// - Thread: [control]
  public init() {
    let (stream, continuation) = AsyncStream<Int32>.makeStream()
    let flag = ArrivalFlag()
    signals = stream
    arrived = flag
    SignalWatch.take { number in
      flag.raise()
      continuation.yield(number)
    }
  }

  /// Whether a signal has arrived.
  /// - Thread: [any]
  public var hasArrived: Bool { arrived.isRaised }
}

/// A flag that one thread raises and others read.
private final class ArrivalFlag: Sendable {
  private let flag = Atomic(false)

  var isRaised: Bool { flag.load(ordering: .acquiring) }

  func raise() { flag.store(true, ordering: .releasing) }
}

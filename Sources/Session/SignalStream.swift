// SIGINT and SIGTERM as events.

import Dispatch
import Foundation
import Synchronization

/// SIGINT and SIGTERM, which no longer end the process. A second one of the same ends it at once.
public final class SignalStream: @unchecked Sendable {
  /// The signals' numbers, for one consumer.
  public let signals: AsyncStream<Int32>
  private let arrived: ArrivalFlag
  private let sources: [any DispatchSourceSignal]

  /// Begins to take the signals.
  /// - Thread: [control]
  public init() {
    let (stream, continuation) = AsyncStream<Int32>.makeStream()
    let flag = ArrivalFlag()
    signals = stream
    arrived = flag
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        flag.raise()
        continuation.yield(number)
        // Whoever asks twice is in a hurry.
        signal(number, SIG_DFL)
      }
      source.resume()
      return source
    }
  }

  deinit { for source in sources { source.cancel() } }

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

// Logs that a JACK server does not answer.

import Dispatch
import Logging
import Synchronization

/// Reports calls that wait long. A server that is stopped or overloaded does not answer, and
/// libjack waits for it without limit.
enum SlowAnswer {
  private static let logger = Logger(label: "auricle.jack")

  /// Runs a call that needs the server's answer, and logs a warning if it takes more than two
  /// seconds.
  /// - Parameter server: its name, nil for the default.
  static func report<Result, Failure: Error>(
    of server: String?, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let isOver = Flag()
    let name = server.map { " '\($0)'" } ?? ""
    DispatchQueue.global().asyncAfter(deadline: .now() + 2) {
      guard !isOver.isRaised else { return }
      logger.warning(
        "the JACK server\(name) has not answered for 2 seconds; waiting for it (is it stopped?)")
    }
    defer { isOver.raise() }
    return try body()
  }

  private final class Flag: Sendable {
    private let value = Atomic(false)

    var isRaised: Bool { value.load(ordering: .acquiring) }

    func raise() { value.store(true, ordering: .releasing) }
  }
}

// Says so when a JACK server lets us wait.

import Dispatch
import Logging
import Synchronization

/// A server that is stopped, or busy beyond measure, answers nobody, and libjack waits for it
/// without limit. Whoever waits with it is told what for.
enum SlowAnswer {
  private static let logger = Logger(label: "auricle.jack")

  /// Does what needs the server's answer; says so when it takes more than two seconds.
  /// - Parameter server: its name, nil for the default.
  static func tell<Result, Failure: Error>(
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

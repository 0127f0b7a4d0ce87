// Ends a test that computes without end.
import Foundation

/// Runs work on this thread, and aborts the process with a message if it takes more processor time
/// than the limit. Waiting does not count, so a busy machine does not end a test.
public func withWorkLimit<Result>(
  seconds: Double, _ what: String, _ body: () throws -> Result
) rethrows -> Result {
  var clock = clockid_t()
  guard pthread_getcpuclockid(pthread_self(), &clock) == 0 else { fatalError("no clock") }
  let (own, start) = (clock, processorSeconds(clock))
  let watch = Watch()
  Thread.detachNewThread {
    while !watch.waitForEnd(seconds: 0.5) {
      if processorSeconds(own) - start > seconds {
        FileHandle.standardError.write(Data("\(what): more than \(seconds) s of work\n".utf8))
        abort()
      }
    }
  }
  defer { watch.end() }
  return try body()
}

/// A flag with a timed wait, by which one thread waits for the end of another's work.
private final class Watch: @unchecked Sendable {
  private let condition = NSCondition()
  private var hasEnded = false

  func end() {
    condition.lock()
    hasEnded = true
    condition.broadcast()
    condition.unlock()
  }

  func waitForEnd(seconds: Double) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    if !hasEnded { _ = condition.wait(until: Date(timeIntervalSinceNow: seconds)) }
    return hasEnded
  }
}

private func processorSeconds(_ clock: clockid_t) -> Double {
  var time = timespec()
  // The thread may have ended.
  guard clock_gettime(clock, &time) == 0 else { return 0 }
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

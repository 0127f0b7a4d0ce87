// Waits without a fixed delay: polls often, up to a generous limit.
import Foundation

/// Polls until `condition` holds or the limit has passed. The interval is a twentieth of the time
/// waited, between 1 and 10 milliseconds.
///
/// The thread is free for other tests between polls. The limit exists to end a broken test, not to
/// time anything: keep it generous.
///
/// - Returns: whether the condition held within the limit.
public func eventually(
  within limit: Duration = .seconds(120), _ condition: () throws -> Bool
) async rethrows -> Bool {
  let start = ContinuousClock.now
  while true {
    if try condition() { return true }
    let waited = ContinuousClock.now - start
    if waited >= limit { return false }
    try? await Task.sleep(for: min(max(.milliseconds(1), waited / 20), .milliseconds(10)))
  }
}

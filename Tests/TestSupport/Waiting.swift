// Waiting without a fixed delay: look often, up to a generous limit.
import Foundation

/// Looks until `condition` holds or the limit has passed: each millisecond at first, at last each
/// ten, and never later than a twentieth of the time waited.
///
/// The thread is free for other tests meanwhile. The limit is there to end a broken test, not to
/// time anything: keep it generous.
///
/// - Returns: whether the condition came to hold.
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

// Waiting without a fixed delay: look often, up to a generous limit.
import Foundation

/// Looks every millisecond until `condition` holds or the limit has passed.
///
/// The thread is free for other tests meanwhile. The limit is there to end a broken test, not to
/// time anything: keep it generous.
///
/// - Returns: whether the condition came to hold.
public func eventually(
  within limit: Duration = .seconds(30), _ condition: () throws -> Bool
) async rethrows -> Bool {
  let deadline = ContinuousClock.now + limit
  while true {
    if try condition() { return true }
    if ContinuousClock.now >= deadline { return false }
    try? await Task.sleep(for: .milliseconds(1))
  }
}

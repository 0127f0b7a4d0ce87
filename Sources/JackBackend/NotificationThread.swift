// libjack's notification thread.

import CJack
import FoundationEssentials
import Glibc
import Realtime

/// Makes it safe to close a client while its notification thread is running.
///
/// libjack cancels that thread when a client closes, wherever it is. An ending server reports the
/// removal of every client and port. If the thread then holds one of libjack's locks, closing waits
/// for that lock for ever (seen with jackd 1.9.21, once in about 100 server ends). So after the
/// server's end we wait for the thread's end, which follows when its socket closes. While the
/// server runs, the thread is cancelled only where it waits or opens a file.
///
/// The value is a handle: copies name the same thread.
struct NotificationThread: Sendable {
  private let state = AtomicCounters(count: 3)
  private static let runningCallbacks = 0
  private static let identifier = 1
  private static let lostServers = 2

  /// - Thread: [control], once the client is closed.
  func deallocate() { state.deallocate() }

  /// Counts a callback as running, on any thread of libjack.
  func beginCallback() { state.add(1, to: Self.runningCallbacks) }

  func endCallback() { state.add(-1, to: Self.runningCallbacks) }

  /// Records the notification thread. Called only by callbacks on that thread.
  func isHere() {
    let identifier = auricleThreadIdentifier()
    if state[Self.identifier] == identifier { return }
    pthread_setcanceltype(CInt(PTHREAD_CANCEL_DEFERRED), nil)
    state[Self.identifier] = identifier
  }

  /// Records that the server is gone, so the thread will end.
  func loseServer() { state[Self.lostServers] = 1 }

  /// Whether the server is gone.
  var hasLostServer: Bool { state[Self.lostServers] != 0 }

  /// Waits up to 0.5 s for the shutdown notification, which follows the first call refused by a
  /// stopping server.
  /// - Returns: whether it came.
  /// - Thread: [control]
  func waitForLoss() -> Bool {
    let deadline = Date(timeIntervalSinceNow: 0.5)
    while !hasLostServer && Date() < deadline { usleep(1000) }
    return hasLostServer
  }

  /// Waits, for two seconds at most, until no callback runs and the thread of a lost server has
  /// ended. The client may be closed then.
  /// - Thread: [control]
  func waitUntilQuiet() {
    let deadline = Date(timeIntervalSinceNow: 2)
    while !isQuiet && Date() < deadline { usleep(100) }
  }

  private var isQuiet: Bool {
    if state[Self.runningCallbacks] > 0 { return false }
    let identifier = state[Self.identifier]
    // A thread that never ran a callback has no notification to finish.
    if state[Self.lostServers] == 0 || identifier == 0 { return true }
    return access("/proc/self/task/\(identifier)", F_OK) != 0
  }
}

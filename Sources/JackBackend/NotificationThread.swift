// The thread on which libjack tells its client the news.

import CJack
import Foundation
import Realtime

/// Makes it safe to close a client while its notification thread is at work.
///
/// libjack cancels that thread when a client closes, wherever it is. Should it hold one of
/// libjack's locks just then, because the server takes leave and tells of every client and port
/// that goes with it, closing waits for the lock for ever (seen with jackd 1.9.21, once in about
/// 100 server ends). So after the server's end we wait for the thread's own, which comes when its
/// socket closes; and while the server lives, the thread is cancelled only where it waits or opens
/// a file.
///
/// The value is a handle: copies name the same thread.
struct NotificationThread: Sendable {
  private let state = AtomicCounters(count: 3)
  private static let runningCallbacks = 0
  private static let identifier = 1
  private static let lostServers = 2

  /// - Thread: [control], once the client is closed.
  func deallocate() { state.deallocate() }

  /// A callback begins, on whichever thread of libjack.
  func beginCallback() { state.add(1, to: Self.runningCallbacks) }

  func endCallback() { state.add(-1, to: Self.runningCallbacks) }

  /// Called by callbacks that come on the thread itself only.
  func isHere() {
    let identifier = auricleThreadIdentifier()
    if state[Self.identifier] == identifier { return }
    pthread_setcanceltype(CInt(PTHREAD_CANCEL_DEFERRED), nil)
    state[Self.identifier] = identifier
  }

  /// The server is gone, and so the thread will end.
  func loseServer() { state[Self.lostServers] = 1 }

  /// Whether the server is gone.
  var hasLostServer: Bool { state[Self.lostServers] != 0 }

  /// Waits for the news of the server's end, which comes a moment after what it refuses for that.
  /// - Returns: whether it came within half a second.
  /// - Thread: [control]
  func waitForLoss() -> Bool {
    let deadline = Date(timeIntervalSinceNow: 0.5)
    while !hasLostServer && Date() < deadline { usleep(1000) }
    return hasLostServer
  }

  /// Waits, for two seconds at most, until no callback runs and the last news of a lost server are
  /// through. The client may be closed then.
  /// - Thread: [control]
  func waitUntilQuiet() {
    let deadline = Date(timeIntervalSinceNow: 2)
    while !isQuiet && Date() < deadline { usleep(100) }
  }

  private var isQuiet: Bool {
    if state[Self.runningCallbacks] > 0 { return false }
    let identifier = state[Self.identifier]
    // A thread that never came by has not had any news to work on.
    if state[Self.lostServers] == 0 || identifier == 0 { return true }
    return access("/proc/self/task/\(identifier)", F_OK) != 0
  }
}

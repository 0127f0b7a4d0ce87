// The right to run a JACK server: one at a time for each user.
import Foundation
import Synchronization

/// A lock held for the lifetime of this object. `JackServer` acquires it; a test whose child
/// process starts a server acquires it itself.
///
/// One slot a process, because libjack keeps a process's connection to its server in globals. One a
/// user of the machine, by a file lock: all servers of a user share the files of the metadata. The
/// first server to end removes them, and clients of others may then die with a bus error.
public final class ServerSlot: Sendable {
  /// The turns of this process's tests, in order of arrival.
  private struct Turns {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private static let turns = Mutex(Turns())
  private let descriptor: Int32

  private init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
    Self.passTurn()
  }

  /// Waits for the slot without blocking a thread.
  ///
  /// - Parameter limit: bounds the wait for other processes. Tests of this process take turns.
  public static func acquire(within limit: Duration = .seconds(900)) async throws -> ServerSlot {
    await takeTurn()
    var slot: ServerSlot?
    _ = await eventually(within: limit) {
      slot = tryLock()
      return slot != nil
    }
    guard let slot else {
      passTurn()
      throw RigError.timedOut(waitingFor: "free slot for a JACK server", output: lockPath)
    }
    return slot
  }

  // Dozens of tests wait here at once. Polling each millisecond took half a core from the server
  // that clocks the running test.
  private static func takeTurn() async {
    await withCheckedContinuation { continuation in
      let isMine = turns.withLock { turns in
        if turns.isTaken {
          turns.waiting.append(continuation)
          return false
        }
        turns.isTaken = true
        return true
      }
      if isMine { continuation.resume() }
    }
  }

  private static func passTurn() {
    let next = turns.withLock { turns -> CheckedContinuation<Void, Never>? in
      guard turns.waiting.isEmpty else { return turns.waiting.removeFirst() }
      turns.isTaken = false
      return nil
    }
    next?.resume()
  }

  private static func tryLock() -> ServerSlot? {
    let descriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return ServerSlot(descriptor: descriptor) }
    close(descriptor)
    return nil
  }

  private static var lockPath: String { "/dev/shm/auricle-test-jackd-\(getuid()).lock" }
}

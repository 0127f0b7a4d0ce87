// The right to run a JACK server: one at a time for each user.
import Foundation
import Synchronization

/// A slot that is held as long as this object lives. `JackServer` takes it; a test whose child
/// process starts a server takes it itself.
///
/// One in a process, because libjack keeps a process's connection to its server in globals. One for
/// each user of the machine, by a file lock: all servers of a user share the files of the metadata,
/// and the first that ends removes them, by which clients of others may die with a bus error.
public final class ServerSlot: Sendable {
  private static let isTaken = Mutex(false)
  private let descriptor: Int32

  private init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
    Self.isTaken.withLock { $0 = false }
  }

  /// Waits for a slot without holding a thread.
  public static func acquire(within limit: Duration = .seconds(900)) async throws -> ServerSlot {
    var slot: ServerSlot?
    _ = await eventually(within: limit) {
      slot = tryAcquire()
      return slot != nil
    }
    guard let slot else {
      throw RigError.timedOut(waitingFor: "free slot for a JACK server", output: lockPath)
    }
    return slot
  }

  private static func tryAcquire() -> ServerSlot? {
    let isMine = isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
    guard isMine else { return nil }
    let descriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return ServerSlot(descriptor: descriptor) }
      close(descriptor)
    }
    isTaken.withLock { $0 = false }
    return nil
  }

  private static var lockPath: String { "/dev/shm/auricle-test-jackd-\(getuid()).lock" }
}

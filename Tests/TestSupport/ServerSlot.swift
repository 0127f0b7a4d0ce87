// The right to run a JACK server: one in a process, two on a machine.
import Foundation
import Synchronization

/// A slot that is held as long as this object lives.
///
/// One in a process, because libjack keeps a process's connection to its server in globals. Two on a machine,
/// by file locks, because servers share a table of eight, and because several test runs at once would
/// otherwise take each other's processor time.
final class ServerSlot: Sendable {
  private static let isTaken = Mutex(false)
  private static let slotsOnMachine = 2
  /// Which of the machine's slots it is: no other server of this user has it.
  let index: Int
  private let descriptor: Int32

  private init(index: Int, descriptor: Int32) {
    self.index = index
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
    Self.isTaken.withLock { $0 = false }
  }

  /// Waits for a slot without holding a thread.
  static func acquire(within limit: Duration = .seconds(900)) async throws -> ServerSlot {
    var slot: ServerSlot?
    _ = await eventually(within: limit) {
      slot = tryAcquire()
      return slot != nil
    }
    guard let slot else {
      throw RigError.timedOut(waitingFor: "free slot for a JACK server", output: lockPath(0))
    }
    return slot
  }

  private static func tryAcquire() -> ServerSlot? {
    let isMine = isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
    guard isMine else { return nil }
    for index in 0..<slotsOnMachine {
      let descriptor = open(lockPath(index), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      if descriptor < 0 { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
        return ServerSlot(index: index, descriptor: descriptor)
      }
      close(descriptor)
    }
    isTaken.withLock { $0 = false }
    return nil
  }

  private static func lockPath(_ index: Int) -> String {
    "/tmp/auricle-test-jackd-\(getuid())-\(index).lock"
  }
}

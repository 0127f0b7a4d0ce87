// File locks that end with their process.

import Glibc

/// A locked file (`flock`). The lock ends when it is deallocated or its process ends.
///
/// - Thread: [control]
package final class FileLock: Sendable {
  private let descriptor: Int32

  /// Locks a file, which is created if it does not exist.
  ///
  /// - Throws: `EWOULDBLOCK` at once if another process has the lock.
  package init(path: String) throws(SystemError) {
    let flags = O_CREAT | O_NOFOLLOW
    let file: Int32
    do throws(SystemError) { file = try FileOpening.open(path, O_RDWR | flags, mode: 0o600) } catch
    {
      // An existing file can be locked even if nothing can be written.
      guard error.number == EROFS || error.number == EACCES else { throw error }
      file = try FileOpening.open(path, O_RDONLY | flags, mode: 0o600)
    }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      let error = SystemError.last
      close(file)
      throw error
    }
    descriptor = file
  }

  /// Releases the lock, also while a starting child process has a copy of the descriptor.
  deinit {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Runs a short `body` in one process at a time.
  ///
  /// - Throws: errors of the body; `EWOULDBLOCK` if another process keeps the lock for two seconds.
  package static func hold<Result>(
    _ path: String, _ body: () throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    let deadline = ContinuousClock.now + .seconds(2)
    while true {
      let lock: FileLock
      do throws(SystemError) { lock = try FileLock(path: path) } catch {
        guard error.number == EWOULDBLOCK, ContinuousClock.now < deadline else { throw error }
        usleep(10_000)
        continue
      }
      defer { withExtendedLifetime(lock) {} }
      return try body()
    }
  }
}

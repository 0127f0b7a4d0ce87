// Locks that end with their process.

import Glibc

/// A file that one process has locked (`flock`) until it lets it go or ends, however it does.
///
/// - Thread: [control]
package final class FileLock: Sendable {
  private let descriptor: Int32

  /// Locks a file, which is made where it is not there.
  ///
  /// - Throws: `EWOULDBLOCK` where somebody else has it, at once.
  package init(path: String) throws(SystemError) {
    let flags = O_CREAT | O_NOFOLLOW
    let file: Int32
    do throws(SystemError) { file = try FileOpening.open(path, O_RDWR | flags, mode: 0o600) } catch
    {
      // Where nothing can be written any more, what is there can still be locked.
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

  /// Lets the file go, also where a program that is just being started has the descriptor, too.
  deinit {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Has something done by one process at a time, each of which takes a moment only.
  ///
  /// - Throws: what the body throws, and `EWOULDBLOCK` where another process does not go on within
  ///   two seconds.
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

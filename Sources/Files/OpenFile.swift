// A file that is open for reading.

import Glibc

/// An open file. A regular one is read as it is; from a pipe or a device is read what comes within
/// `FileWait.limit`.
///
/// A disk that hangs within a read, as network disks do, keeps the reading thread: the system
/// offers no way out of it.
///
/// - Thread: [any]
package final class OpenFile: Sendable {
  /// As it was given.
  package let path: String
  /// For reading; without blocking, but for regular files. Valid as long as this object.
  package let descriptor: Int32
  package let isRegular: Bool
  /// In bytes, when it was opened; 0 for what is not regular.
  package let size: Int

  /// Opens a file at once.
  ///
  /// - Parameter isRegular: whether anything but a regular file is refused, by `notRegular`.
  /// - Throws: what the system says; `EISDIR` for a folder.
  /// - Thread: [control]
  package init(_ path: String, isRegular wantsRegular: Bool = false) throws(SystemError) {
    self.path = path
    descriptor = try FileOpening.open(path, O_RDONLY)
    var status = stat()
    let result = fstat(descriptor, &status)
    let kind = status.st_mode & S_IFMT
    isRegular = kind == S_IFREG
    size = isRegular ? Int(status.st_size) : 0
    // From here on `deinit` closes it.
    guard result == 0 else { throw .last }
    guard kind != S_IFDIR else { throw SystemError(number: EISDIR) }
    guard isRegular || !wantsRegular else { throw .notRegular }
  }

  deinit { close(descriptor) }

  /// All bytes from the place that was read last, in memory that grows with them; nil if there are
  /// more than `limit`.
  ///
  /// - Throws: what the system says, and what ends the waiting for them: `ETIMEDOUT`, `ECANCELED`.
  /// - Thread: [control]
  package func contents(upTo limit: Int) throws(SystemError) -> [UInt8]? {
    var waiting = FileWaiting(path)
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try read(&chunk, &waiting)
      if count == 0 { return bytes }
      bytes += chunk[..<count]
      if bytes.count > limit { return nil }
    }
  }

  /// Reads what there is, once there is something.
  ///
  /// - Returns: how many bytes; 0 at the end.
  func read(
    _ chunk: inout [UInt8], _ waiting: inout FileWaiting, for reader: Int32 = -1
  ) throws(SystemError) -> Int {
    while true {
      if !isRegular { try waiting.untilReadable(descriptor, for: reader) }
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count >= 0 { return count }
      // Somebody else may have read it meanwhile.
      guard errno == EINTR || (errno == EAGAIN && !isRegular) else { throw .last }
    }
  }
}

// Files opened for reading.

import Glibc

/// An open file. Reading a pipe or a device fails after `FileWait.limit`.
///
/// A disk that hangs within a read, such as a network disk, blocks the reading thread: the system
/// offers no way to interrupt it.
///
/// - Thread: [any]
package final class OpenFile: Sendable {
  /// The path passed to `init`.
  package let path: String
  /// The descriptor for reading, nonblocking unless the file is regular. Valid as long as this
  /// object.
  package let descriptor: Int32
  package let isRegular: Bool
  /// Size at opening, in bytes; 0 unless regular.
  package let size: Int

  /// Opens a file at once.
  ///
  /// - Parameter isRegular: whether to refuse files that are not regular, with `notRegular`.
  /// - Throws: the system's error; `EISDIR` for a folder.
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

  /// Reads all remaining bytes, in memory that grows with them; nil if there are more than `limit`.
  ///
  /// - Throws: the system's error; `ETIMEDOUT` or `ECANCELED` if the wait for data ends.
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

  /// Waits for data and reads it.
  ///
  /// - Returns: the number of bytes; 0 at the end.
  func read(
    _ chunk: inout [UInt8], _ waiting: inout FileWaiting, for reader: Int32 = -1
  ) throws(SystemError) -> Int {
    while true {
      if !isRegular { try waiting.untilReadable(descriptor, for: reader) }
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count >= 0 { return count }
      // Another reader may have taken the data.
      guard errno == EINTR || (errno == EAGAIN && !isRegular) else { throw .last }
    }
  }
}

// Digests of files.

import Glibc
import Synchronization

/// The size and the SHA-256 sum of a file.
package struct FileDigest: Hashable, Sendable {
  /// The size in bytes.
  package let size: Int
  /// The sum, as 64 hexadecimal digits.
  package let sha256: String

  /// Digests that were read, dropped when there are 256: files of some hundred megabytes are saved
  /// with every session.
  private static let known = Mutex<[FileStamp: FileDigest]>([:])
  private static let knownCapacity = 256

  /// Reads a whole regular file, unless it is known and was not written since.
  ///
  /// - Thread: [control]
  package init(path: String) throws(SystemError) {
    let file = try OpenFile(path, isRegular: true)
    let stamp = try Self.stamp(file)
    if let known = Self.known.withLock({ $0[stamp] }) {
      self = known
      return
    }
    var sum = SHA256()
    var size = 0
    var chunk = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(file.descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .last }
      if count == 0 { break }
      size += count
      chunk.withUnsafeBufferPointer { sum.update(UnsafeBufferPointer(rebasing: $0[..<count])) }
    }
    self.size = size
    sha256 = sum.finish()
    // Not kept if the file was written meanwhile or within the last two seconds. Writes within one
    // tick of the file system's clock leave the same time.
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    guard try Self.stamp(file) == stamp, now.tv_sec - stamp.seconds > 2 else { return }
    let digest = self
    Self.known.withLock { known in
      if known.count >= Self.knownCapacity { known = [:] }
      known[stamp] = digest
    }
  }

  private static func stamp(_ file: OpenFile) throws(SystemError) -> FileStamp {
    var status = stat()
    guard fstat(file.descriptor, &status) == 0 else { throw .last }
    return FileStamp(status)
  }
}

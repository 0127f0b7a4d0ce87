// The bytes of a SoundFont file, read where they are asked for.

import Foundation

/// An open file. It is read, not mapped: a file that is cut short meanwhile is an error, not a
/// signal.
final class SoundFontSource: Sendable {
  let path: String
  /// In bytes, when it was opened.
  let size: Int
  private let file: Int32

  /// - Throws: `SoundFontError`.
  /// - Thread: [worker]
  init(_ url: URL) throws(SoundFontError) {
    path = url.path
    var status = stat()
    guard stat(path, &status) == 0 else { throw .missing(path: path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notASoundFont(path: path) }
    file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0, fstat(file, &status) == 0 else {
      throw .unreadable(path: path, reason: String(cString: strerror(errno)))
    }
    size = Int(status.st_size)
  }

  deinit { if file >= 0 { close(file) } }

  /// - Returns: whether all of it could be read.
  func read(_ range: Range<Int>, into buffer: UnsafeMutableRawPointer) -> Bool {
    var done = 0
    while done < range.count {
      let length = pread(file, buffer + done, range.count - done, range.lowerBound + done)
      if length < 0 && errno == EINTR { continue }
      if length <= 0 { return false }
      done += length
    }
    return true
  }

  /// - Throws: `SoundFontError` when the file has become shorter.
  func bytes(_ range: Range<Int>) throws(SoundFontError) -> [UInt8] {
    var isRead = false
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      isRead = range.isEmpty || read(range, into: buffer.baseAddress!)
      count = isRead ? range.count : 0
    }
    guard isRead else {
      throw .truncated(path: path, bytes: size, expected: range.upperBound)
    }
    return bytes
  }
}

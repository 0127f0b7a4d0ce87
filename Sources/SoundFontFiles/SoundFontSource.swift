// The bytes of a SoundFont file, read on request.

import Files
import FoundationEssentials
import Glibc

/// An open file, read and not mapped: if it is truncated meanwhile, that is an error, not a signal.
final class SoundFontSource: Sendable {
  let path: String
  /// Size in bytes when it was opened.
  let size: Int
  private let file: OpenFile

  /// - Throws: `SoundFontError`.
  /// - Thread: [worker]
  init(_ url: URL) throws(SoundFontError) {
    path = url.path
    do throws(SystemError) { file = try OpenFile(path, isRegular: true) } catch {
      switch error.number {
      case ENOENT, ENOTDIR: throw .missing(path: path)
      case EISDIR, SystemError.notRegular.number: throw .notASoundFont(path: path)
      default: throw .unreadable(path: path, reason: "\(error)")
      }
    }
    size = file.size
  }

  /// - Returns: whether all bytes could be read.
  func read(_ range: Range<Int>, into buffer: UnsafeMutableRawPointer) -> Bool {
    var done = 0
    while done < range.count {
      let length = pread(
        file.descriptor, buffer + done, range.count - done, range.lowerBound + done)
      if length < 0 && errno == EINTR { continue }
      if length <= 0 { return false }
      done += length
    }
    return true
  }

  /// - Throws: `SoundFontError` if the file has become shorter.
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

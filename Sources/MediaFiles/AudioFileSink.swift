// Output of libsndfile.

import CSndFile
import Glibc

/// The bytes of an open file, for libsndfile. It keeps the first error, because libsndfile does not
/// report errors of the bytes that formats write on closing.
final class AudioFileSink {
  private let descriptor: Int32
  /// The first error's number; 0 without an error.
  private(set) var error: Int32 = 0
  /// Bytes that headers written now claim beyond the file's true size.
  var claimedBytes = 0

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// Opens the file for a format. The sink must outlive the handle.
  func open(_ info: inout SF_INFO) -> OpaquePointer? {
    var calls = SF_VIRTUAL_IO(
      get_filelen: { AudioFileSink.of($0).length() },
      seek: { sf_count_t(lseek(AudioFileSink.of($2).descriptor, off_t($0), $1)) },
      read: { AudioFileSink.of($2).read($0, Int($1)) },
      write: { AudioFileSink.of($2).write($0, Int($1)) },
      tell: { sf_count_t(lseek(AudioFileSink.of($0).descriptor, 0, SEEK_CUR)) })
    return sf_open_virtual(
      &calls, Int32(SFM_WRITE), &info, Unmanaged.passUnretained(self).toOpaque())
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> AudioFileSink {
    Unmanaged<AudioFileSink>.fromOpaque(context!).takeUnretainedValue()
  }

  private func length() -> sf_count_t {
    var status = stat()
    return fstat(descriptor, &status) == 0
      ? sf_count_t(status.st_size) + sf_count_t(claimedBytes) : -1
  }

  private func read(_ bytes: UnsafeMutableRawPointer?, _ count: Int) -> sf_count_t {
    sf_count_t(max(0, Glibc.read(descriptor, bytes, count)))
  }

  func write(_ bytes: UnsafeRawPointer?, _ count: Int) -> sf_count_t {
    guard error == 0, let bytes else { return 0 }
    var done = 0
    while done < count {
      let written = Glibc.write(descriptor, bytes + done, count - done)
      if written < 0, errno == EINTR { continue }
      guard written > 0 else {
        error = written < 0 ? errno : EIO
        break
      }
      done += written
    }
    return sf_count_t(done)
  }
}

// The limit on open files.

import Files
import Glibc

/// The limit on open files, raised up to 1024.
enum DescriptorLimit {
  /// Twice the number of descriptors for a session with its server's sockets, its SoundFonts and
  /// its own server.
  private static let wanted = 64

  /// The problem and its remedy; nil if there are enough descriptors. Without them, libjack,
  /// libdispatch and other libraries would wait or end the process.
  /// - Thread: [control], before any other thread
  static let problem = raise()

  /// Raises the limit and checks that `wanted` descriptors can be opened.
  private static func raise() -> String? {
    var limit = rlimit()
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(kind, &limit) == 0 else { return nil }
    if limit.rlim_cur < 1024 {
      limit.rlim_cur = min(limit.rlim_max, 1024)
      setrlimit(kind, &limit)
    }
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < wanted {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        return """
          only \(opened.count) more files may be open (\(SystemError.last)), \
          \(wanted) are needed; raise the limit: ulimit -n 1024
          """
      }
      opened.append(descriptor)
    }
    return nil
  }
}

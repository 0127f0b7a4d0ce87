// How many files and sockets may be open.

import Foundation

/// The limit on open files, raised as far as it may be.
enum DescriptorLimit {
  /// What a session opens at once, with its server's sockets, its SoundFonts and a server of its
  /// own, twice over.
  private static let wanted = 64

  /// What is wrong and what to do; nil when all is well. libjack, libdispatch and others would
  /// wait, or end the process, where there are too few.
  /// - Thread: [control], first before any other thread
  static let problem = raise()

  /// Raises the limit and counts what is left of it.
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
          only \(opened.count) more files may be open (\(String(cString: strerror(errno)))), \
          \(wanted) are needed; raise the limit: ulimit -n 1024
          """
      }
      opened.append(descriptor)
    }
    return nil
  }
}

// Pipes that programs do not inherit.

import Glibc

/// Opens a pipe. Both ends close when the process executes another program.
///
/// - Returns: the descriptors of both ends, for the caller to close.
/// - Thread: [control]
public func openPipe() throws(ChildProcessError) -> (read: Int32, write: Int32) {
  var ends: [Int32] = [-1, -1]
  guard pipe(&ends) == 0 else { throw ChildProcessError(number: errno) }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  return (ends[0], ends[1])
}

// Watches one child process from its start to its end.
import Foundation
import Synchronization

/// Lifetime of a child process, shared with the thread that waits for its end.
final class ChildLife: Sendable {
  let processIdentifier: pid_t
  private let status = Mutex<ChildProcess.ExitStatus?>(nil)

  init(of processIdentifier: pid_t) {
    self.processIdentifier = processIdentifier
    let guardian = Self.startGuardian(of: processIdentifier)
    Thread.detachNewThread { [self] in
      waitForEnd()
      kill(guardian.processIdentifier, SIGKILL)
      waitpid(guardian.processIdentifier, nil, 0)
      close(guardian.writeEnd)
    }
  }

  /// The exit status; nil while the process runs.
  var exitStatus: ChildProcess.ExitStatus? {
    status.withLock { $0 }
  }

  /// Sends a signal, unless the process has ended.
  func signal(_ number: Int32) {
    status.withLock { status in
      if status == nil { _ = kill(processIdentifier, number) }
    }
  }

  private func waitForEnd() {
    // Wait without reaping: until the status is set under the lock, the identifier must stay the
    // child's, or a signal could hit another process.
    var information = siginfo_t()
    while waitid(P_PID, id_t(processIdentifier), &information, WEXITED | WNOWAIT) != 0,
      errno == EINTR
    {}
    status.withLock { status in
      var word: Int32 = 0
      waitpid(processIdentifier, &word, 0)
      status = word & 0x7F == 0 ? .exited((word >> 8) & 0xFF) : .signalled(word & 0x7F)
    }
  }

  /// Starts a shell that kills the child when this process's end of a pipe closes, i.e. when this
  /// process dies.
  private static func startGuardian(
    of child: pid_t
  ) -> (processIdentifier: pid_t, writeEnd: Int32) {
    let pipe = ClosedPipe()
    let shell = try? spawn(
      "/bin/sh", ["-c", "read line || kill -9 \"$1\"", "guardian", "\(child)"], environment: [:],
      input: pipe.readEnd)
    guard let shell else { preconditionFailure("/bin/sh does not start") }
    close(pipe.readEnd)
    return (shell, pipe.writeEnd)
  }
}

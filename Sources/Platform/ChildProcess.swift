// Programs started as child processes.

import CRealtime
public import Glibc
import Synchronization

/// The reason why a program could not be started, or a pipe not be opened.
public struct ChildProcessError: Error, CustomStringConvertible {
  /// A number of `errno`.
  public let number: Int32
  public var description: String { String(cString: strerror(number)) }

  public init(number: Int32) { self.number = number }
}

/// A program in a process of its own, which leads a process group.
public final class ChildProcess: Sendable {
  /// The end of a process.
  public enum End: Sendable, Equatable {
    case exited(Int32)
    case signalled(Int32)
  }

  /// The process; another one may get the number after its end.
  public let identifier: pid_t
  private let known = Mutex<End?>(nil)

  /// Starts a program, with no signal blocked or ignored.
  ///
  /// - Parameters:
  ///   - arguments: with the program's name as the first one.
  ///   - descriptors: this process's, by their numbers in the child; it gets no others.
  /// - Thread: [control]
  public init(
    _ path: String, arguments: [String], environment: [String: String],
    descriptors: [Int32: Int32]
  ) throws(ChildProcessError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let first = (descriptors.keys.max() ?? -1) + 1
    // The child's numbers may be other descriptors' here: all are moved out of the way first.
    var moved: [Int32] = []
    defer { for descriptor in moved { close(descriptor) } }
    for (number, descriptor) in descriptors.sorted(by: { $0.key < $1.key }) {
      let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, first)
      guard copy >= 0 else { throw ChildProcessError(number: errno) }
      moved.append(copy)
      posix_spawn_file_actions_adddup2(&actions, copy, number)
    }
    for number in 0..<first where descriptors[number] == nil {
      posix_spawn_file_actions_addclose(&actions, number)
    }
    _ = closeFromWhenSpawned(&actions, first)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    posix_spawnattr_setflags(&attributes, Int16(flags))

    var words = arguments.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in words + variables { free(word) } }
    var process: pid_t = 0
    let result = posix_spawn(&process, path, &actions, &attributes, &words, &variables)
    guard result == 0 else { throw ChildProcessError(number: result) }
    identifier = process
  }

  /// The end of the process; nil while it runs.
  /// - Thread: [any]
  public var end: End? {
    known.withLock { end in
      var status: Int32 = 0
      if end == nil, waitpid(identifier, &status, WNOHANG) == identifier {
        let number = status & 0x7F
        end = number == 0 ? .exited(status >> 8 & 0xFF) : .signalled(number)
      }
      return end
    }
  }

  /// Sends a signal to the process, or to all of its group, while it runs.
  /// - Thread: [any]
  public func send(_ signal: Int32, toGroup: Bool = false) {
    known.withLock { if $0 == nil { _ = kill(toGroup ? -identifier : identifier, signal) } }
  }

  /// Waits for the end of the process.
  ///
  /// - Returns: nil at the deadline.
  /// - Thread: [control]
  public func waitForEnd(until deadline: ContinuousClock.Instant? = nil) -> End? {
    while true {
      if let end { return end }
      if let deadline, ContinuousClock.now >= deadline { return nil }
      usleep(2000)
    }
  }
}

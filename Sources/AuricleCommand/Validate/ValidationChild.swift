// Child processes that check one unit.

import Foundation
import Synchronization

/// Another process of this program, in a separate process group, that reports in lines. It is
/// killed when this object is freed, and ends itself when this process does.
final class ValidationChild: Sendable {
  /// The end of the process.
  enum End: Equatable {
    case exited(Int32)
    case signalled(Int32)
    case timedOut
  }

  /// The descriptor that it writes its lines to.
  static let reportDescriptor: Int32 = 3

  private struct State {
    var process: pid_t
    var isRunning = true
    var pending: [UInt8] = []
  }

  private let state: Mutex<State>
  private let report: Int32
  /// Write end of its standard input, never written: it closes when this process ends.
  private let leash: Int32

  /// - Throws: `CommandFailure`.
  init(_ arguments: [String]) throws(CommandFailure) {
    let (report, reportEnd) = try Self.pipe()
    let (leashEnd, leash) = try Self.pipe()
    defer {
      close(reportEnd)
      close(leashEnd)
    }
    self.report = report
    self.leash = leash
    state = Mutex(
      State(process: try Self.spawn(arguments, input: leashEnd, report: reportEnd)))
  }

  deinit {
    kill()
    state.withLock {
      if $0.isRunning { waitpid($0.process, nil, 0) }
    }
    close(report)
    close(leash)
  }

  /// Kills the process and all processes in its group.
  /// - Thread: [any]
  func kill() {
    state.withLock {
      if $0.isRunning { _ = Foundation.kill(-$0.process, SIGKILL) }
    }
  }

  /// Returns the next line; nil at the end, or after the deadline.
  func nextLine(until deadline: ContinuousClock.Instant) -> ValidationMessage? {
    while true {
      if let line = takeLine() {
        if let line = try? JSONDecoder().decode(ValidationMessage.self, from: Data(line)) {
          return line
        }
        continue
      }
      let left = (deadline - .now) / .milliseconds(1)
      if left <= 0 { return nil }
      var readiness = pollfd(fd: report, events: Int16(POLLIN), revents: 0)
      guard poll(&readiness, 1, Int32(min(left + 1, 1e9))) > 0 else { continue }
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = read(report, &bytes, bytes.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return nil }
      state.withLock { $0.pending += bytes[..<count] }
    }
  }

  private func takeLine() -> [UInt8]? {
    state.withLock { state in
      guard let end = state.pending.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      defer { state.pending.removeFirst(end + 1) }
      return Array(state.pending[..<end])
    }
  }

  /// Waits for the process to end, and kills it at the deadline.
  func finish(deadline: ContinuousClock.Instant) -> End {
    var isLate = false
    while true {
      var status: Int32 = 0
      let process = state.withLock { $0.process }
      let result = waitpid(process, &status, WNOHANG)
      if result == process {
        state.withLock { $0.isRunning = false }
        // Processes that it has started.
        _ = Foundation.kill(-process, SIGKILL)
        if isLate { return .timedOut }
        let number = status & 0x7F
        return number == 0 ? .exited(status >> 8 & 0xFF) : .signalled(number)
      }
      if ContinuousClock.now >= deadline, !isLate {
        isLate = true
        kill()
      }
      usleep(2000)
    }
  }

  private static func pipe() throws(CommandFailure) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else { throw failure(errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func spawn(
    _ arguments: [String], input: Int32, report: Int32
  ) throws(CommandFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // `reportDescriptor` may be another end's number, so it is set last.
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    // A unit's own output must not mix with the results.
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, report, reportDescriptor)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    posix_spawnattr_setpgroup(&attributes, 0)

    var environment = ProcessInfo.processInfo.environment
    // A backtrace of a crash is for a debugger, and takes longer than the checks.
    if environment["SWIFT_BACKTRACE"] == nil { environment["SWIFT_BACKTRACE"] = "enable=no" }
    let name = CommandLine.arguments.first ?? "auricle"
    var words = ([name] + arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in words + variables { free(word) } }
    var process: pid_t = 0
    let result = posix_spawn(&process, program, &actions, &attributes, &words, &variables)
    guard result == 0 else { throw failure(result) }
    return process
  }

  /// Path of this program, which lists of processes show; `/proc/self/exe` if it no longer exists.
  private static var program: String {
    let link = "/proc/self/exe"
    guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: link),
      FileManager.default.isExecutableFile(atPath: path)
    else { return link }
    return path
  }

  private static func failure(_ number: Int32) -> CommandFailure {
    CommandFailure(
      message: "a process for the unit cannot be started: \(String(cString: strerror(number)))",
      status: 1)
  }
}

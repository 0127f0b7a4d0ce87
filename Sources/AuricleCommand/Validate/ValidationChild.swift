// Child processes that check one unit.

import Files
import FoundationEssentials
import Glibc
import Platform
import Synchronization

/// Another process of this program, in a separate process group, that reports in lines. It is
/// killed when this object is freed, and ends itself when this process does.
final class ValidationChild: Sendable {
  /// The descriptor that it writes its lines to.
  static let reportDescriptor: Int32 = 3

  private let process: ChildProcess
  private let report: Int32
  /// Write end of its standard input, never written: it closes when this process ends.
  private let leash: Int32
  private let pending = Mutex<[UInt8]>([])

  /// - Throws: `CommandFailure`.
  init(_ arguments: [String]) throws(CommandFailure) {
    let (report, reportEnd) = try Self.pipe()
    let (leashEnd, leash) = try Self.pipe()
    defer {
      close(reportEnd)
      close(leashEnd)
    }
    do throws(CommandFailure) {
      process = try Self.start(arguments, input: leashEnd, report: reportEnd)
    } catch {
      close(report)
      close(leash)
      throw error
    }
    (self.report, self.leash) = (report, leash)
  }

  deinit {
    kill()
    _ = process.waitForEnd()
    close(report)
    close(leash)
  }

  /// Kills the process and all processes in its group.
  /// - Thread: [any]
  func kill() { process.send(SIGKILL, toGroup: true) }

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
      pending.withLock { $0 += bytes[..<count] }
    }
  }

  private func takeLine() -> [UInt8]? {
    pending.withLock { pending in
      guard let end = pending.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      defer { pending.removeFirst(end + 1) }
      return Array(pending[..<end])
    }
  }

  /// Waits for the process to end.
  ///
  /// - Returns: nil if it was killed at the deadline.
  func finish(deadline: ContinuousClock.Instant) -> ChildProcess.End? {
    let end = process.waitForEnd(until: deadline)
    if end == nil {
      kill()
      _ = process.waitForEnd()
    }
    // Processes that it has started.
    _ = Glibc.kill(-process.identifier, SIGKILL)
    return end
  }

  private static func pipe() throws(CommandFailure) -> (read: Int32, write: Int32) {
    do { return try openPipe() } catch { throw failure(error.number) }
  }

  private static func start(
    _ arguments: [String], input: Int32, report: Int32
  ) throws(CommandFailure) -> ChildProcess {
    var environment = ProcessInfo.processInfo.environment
    // A backtrace of a crash is for a debugger, and takes longer than the checks.
    if environment["SWIFT_BACKTRACE"] == nil { environment["SWIFT_BACKTRACE"] = "enable=no" }
    do {
      return try ChildProcess(
        program, arguments: [CommandLine.arguments.first ?? "auricle"] + arguments,
        environment: environment,
        // A unit's own output must not mix with the results.
        descriptors: [
          STDIN_FILENO: input, STDOUT_FILENO: STDERR_FILENO, STDERR_FILENO: STDERR_FILENO,
          reportDescriptor: report,
        ])
    } catch {
      throw failure(error.number)
    }
  }

  /// Path of this program, which lists of processes show; `/proc/self/exe` if it no longer exists.
  private static var program: String {
    guard let path = programFile?.path, FileManager.default.isExecutableFile(atPath: path)
    else { return "/proc/self/exe" }
    return path
  }

  private static func failure(_ number: Int32) -> CommandFailure {
    CommandFailure(
      message: "a process for the unit cannot be started: \(SystemError(number: number))",
      status: 1)
  }
}

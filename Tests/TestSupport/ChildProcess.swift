// Runs a program, collects its output, and ends it with the test.
import Foundation

/// A running or finished program.
///
/// Both output streams are read continuously, so that the program never blocks on a full pipe. It
/// is killed when the last reference to this object is released, and when the test process dies.
///
/// ```swift
/// let child = try ChildProcess(builtProduct("auricle"), ["run", "--server", server.name])
/// let line = try await child.waitForLine(containing: "ready:")
/// child.signal(SIGTERM)
/// #expect(try await child.wait() == .exited(0))
/// ```
///
/// - Thread: [any]
public final class ChildProcess: Sendable {
  /// The end of a process.
  public enum ExitStatus: Sendable, Equatable, CustomStringConvertible {
    case exited(Int32)
    case signalled(Int32)

    public var description: String {
      switch self {
      case .exited(let code): "exit status \(code)"
      case .signalled(let number): "signal \(number)"
      }
    }
  }

  /// One of the output streams.
  public enum Stream: Sendable {
    case standardOutput
    case standardError
  }

  private let life: ChildLife
  private let output: CollectedOutput
  private let error: CollectedOutput

  /// Starts a program with empty standard input.
  ///
  /// - Parameters:
  ///   - executable: its file; see `builtProduct(_:)` and `installedProgram(_:)`.
  ///   - environment: changes to this process's environment: a value sets a variable, nil removes
  ///     it.
  ///   - expectsSanitizerReport: whether the test expects a sanitizer's report on standard error.
  ///     If not, a report fails the sanitizer's run, whatever the result of the test.
  public init(
    _ executable: URL, _ arguments: [String] = [], environment: [String: String?] = [:],
    workingDirectory: URL? = nil, expectsSanitizerReport: Bool = false
  ) throws(RigError) {
    var variables = ProcessInfo.processInfo.environment
    // Set if the tests run in a session manager's terminal.
    variables["NSM_URL"] = nil
    // Crashes of programs are tested; only those of tests are traced.
    variables["SWIFT_BACKTRACE"] = nil
    for (name, value) in environment { variables[name] = value }
    let outputPipe = ClosedPipe()
    let errorPipe = ClosedPipe()
    defer {
      close(outputPipe.writeEnd)
      close(errorPipe.writeEnd)
    }
    output = CollectedOutput(reading: outputPipe.readEnd)
    error = CollectedOutput(
      reading: errorPipe.readEnd, keepsReports: !expectsSanitizerReport)
    life = ChildLife(
      of: try spawn(
        executable.path, arguments, environment: variables, directory: workingDirectory?.path,
        output: outputPipe.writeEnd, error: errorPipe.writeEnd))
  }

  deinit {
    life.signal(SIGKILL)
  }

  /// The process identifier; after the end of this process another one may have it.
  public var processIdentifier: pid_t { life.processIdentifier }

  /// The exit status; nil while the process runs.
  public var exitStatus: ExitStatus? { life.exitStatus }

  public var isRunning: Bool { exitStatus == nil }

  /// All of standard output so far.
  public var standardOutput: String { output.text }

  /// All of standard error so far.
  public var standardError: String { error.text }

  /// Sends a signal, for example SIGTERM; has no effect if the process has ended.
  public func signal(_ number: Int32) {
    life.signal(number)
  }

  /// Waits for the end of the process and, for 2 s at most, of its output streams, which a
  /// grandchild may keep open.
  ///
  /// - Throws: `RigError.timedOut`; the process keeps running.
  public func wait(within limit: Duration = .seconds(60)) async throws -> ExitStatus {
    guard await eventually(within: limit, { exitStatus != nil }), let exitStatus else {
      throw RigError.timedOut(waitingFor: "end of the process", output: transcript)
    }
    _ = await eventually(within: .seconds(2)) { output.isComplete && error.isComplete }
    return exitStatus
  }

  /// Waits for a complete line that contains `text` and returns it.
  ///
  /// - Throws: `RigError.endedEarly` if the process ends without it, `RigError.timedOut`.
  public func waitForLine(
    containing text: String, in stream: Stream = .standardOutput,
    within limit: Duration = .seconds(60)
  ) async throws -> String {
    let source = stream == .standardOutput ? output : error
    var found: String?
    _ = await eventually(within: limit) {
      // Check for the end before the search, so that output printed just before it is found.
      let isOver = source.isComplete && exitStatus != nil
      found = Self.line(containing: text, in: source.text)
      return found != nil || isOver
    }
    if let found { return found }
    if let exitStatus {
      throw RigError.endedEarly(
        waitingFor: "a line with “\(text)”", status: exitStatus, output: transcript)
    }
    throw RigError.timedOut(waitingFor: "line with “\(text)”", output: transcript)
  }

  /// Both streams, for messages.
  public var transcript: String {
    "standard output:\n\(standardOutput)standard error:\n\(standardError)"
  }

  private static func line(containing text: String, in output: String) -> String? {
    // The piece after the last newline is not complete yet.
    output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .first { $0.contains(text) }.map(String.init)
  }
}

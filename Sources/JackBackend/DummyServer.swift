// A private JACK server without a sound card.

import Dispatch
import FoundationEssentials
import Glibc
import Platform
import Synchronization

/// A `jackd` process with JACK's dummy driver that belongs to this process. It ends with `stop`, or
/// when its last client has gone for any reason.
public final class DummyServer: Sendable {
  /// The server's name for clients.
  public let name: String
  /// Whether clients find it without giving a server name.
  public var isDefault: Bool { name == Self.defaultName }
  private let process: ChildProcess
  private let output: LogTail

  /// The name of the server that clients use by default.
  public static var defaultName: String {
    let name = ProcessInfo.processInfo.environment["JACK_DEFAULT_SERVER"] ?? ""
    return name.isEmpty ? "default" : name
  }

  /// Starts a server and opens its client.
  /// - Parameter server: its name; nil for the default one, which other clients find without a
  ///   name, or for another one if that is taken.
  /// - Throws: `dummyServerFailed` with a remedy or the server's output, or the error of
  ///   `JackClient`.
  /// - Thread: [control]
  public static func start(
    clientName: String, server: String? = nil
  ) throws(JackError) -> (server: DummyServer, client: JackClient) {
    // JACK has eight server slots and keeps a killed server's slot until one of the same name
    // starts, so only a few names are used.
    let names = server.map { [$0] } ?? [defaultName] + (1...7).map { "auricle-\($0)" }
    // A former server may be ending; retry its name.
    let deadline = Date(timeIntervalSinceNow: 3)
    for name in names {
      repeat {
        if let started = try tryToStart(name, clientName: clientName) { return started }
        if name == names[0] { usleep(100_000) }
      } while name == names[0] && Date() < deadline
    }
    throw .dummyServerFailed(
      server.map { "a server '\($0)' runs already, or does not come to its end" }
        ?? "eight servers run already; end some of them (ps -C jackd)")
  }

  /// - Returns: nil if a server of this name is running.
  private static func tryToStart(
    _ name: String, clientName: String
  ) throws(JackError) -> (DummyServer, JackClient)? {
    if (try? JackClient(name: "auricle-probe", server: name)) != nil { return nil }
    let server = try DummyServer(name: name)
    do throws(JackError) {
      return (server, try server.openClient(name: clientName))
    } catch {
      // Another server may have started first, or is ending.
      guard server.output.text.contains("already active") else { throw error }
      return nil
    }
  }

  /// The process identifiers of all running servers.
  private static let running = Mutex<Set<pid_t>>([])

  /// Kills all servers of this process, before it exits without waiting for anything.
  /// - Thread: [any]
  public static func killAll() {
    running.withLock { processes in
      for process in processes { kill(process, SIGKILL) }
    }
  }

  /// Starts the server.
  /// - Parameters:
  ///   - sampleRate: in hertz.
  ///   - period: in frames.
  /// - Throws: `dummyServerFailed` with a remedy.
  /// - Thread: [control]
  private init(
    name: String, sampleRate: Int = 48000, period: Int = 1024
  ) throws(JackError) {
    self.name = name
    guard let jackd = programInPath("jackd") else {
      throw .dummyServerFailed("jackd is not installed; install Debian's package jackd2")
    }
    let (input, log, logEnd) = try Self.descriptors()
    defer {
      close(input)
      close(logEnd)
    }
    do throws(ChildProcessError) {
      process = try ChildProcess(
        jackd.path,
        // -T: the server ends when its last client has gone, also if this process is killed.
        arguments: ["jackd", "-n", name, "-T"]
          + [RealtimeLimits.current.mayUseRealtime ? "-R" : "-r"]
          + ["-d", "dummy", "-r", "\(sampleRate)", "-p", "\(period)"],
        environment: ProcessInfo.processInfo.environment.merging(
          ["JACK_NO_AUDIO_RESERVATION": "1"]) { $1 },
        descriptors: [STDIN_FILENO: input, STDOUT_FILENO: logEnd, STDERR_FILENO: logEnd])
    } catch {
      close(log)
      throw .dummyServerFailed("\(jackd.path) does not run: \(error)")
    }
    output = LogTail(log)
    let identifier = process.identifier
    Self.running.withLock { _ = $0.insert(identifier) }
  }

  /// Opens the descriptors of a server: its input, and both ends of a pipe for its output.
  private static func descriptors() throws(JackError) -> (input: Int32, log: Int32, logEnd: Int32) {
    let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
    do throws(ChildProcessError) {
      if input < 0 { throw ChildProcessError(number: errno) }
      let (log, logEnd) = try openPipe()
      return (input, log, logEnd)
    } catch {
      if input >= 0 { close(input) }
      throw .dummyServerFailed("it cannot be started: \(error)")
    }
  }

  deinit { stop() }

  /// Ends the server.
  /// - Thread: [control]
  public func stop() {
    process.send(SIGTERM)
    if process.waitForEnd(until: .now + .seconds(1)) == nil {
      process.send(SIGKILL)
      _ = process.waitForEnd()
    }
    let identifier = process.identifier
    Self.running.withLock { _ = $0.remove(identifier) }
  }

  /// Opens the server's client as soon as it accepts clients.
  private func openClient(name: String) throws(JackError) -> JackClient {
    let deadline = Date(timeIntervalSinceNow: 10)
    while true {
      do {
        return try JackClient(name: name, server: self.name)
      } catch .noServer, .serverRefused {
        if let end = process.end {
          output.waitForEnd()
          throw .dummyServerFailed("\(text(end)): \(output.text)")
        }
        guard Date() < deadline else {
          throw .dummyServerFailed("it took no client for 10 seconds: \(output.text)")
        }
        usleep(50_000)
      }
    }
  }

  private func text(_ end: ChildProcess.End) -> String {
    switch end {
    case .exited(let status): "it ended with status \(status)"
    case .signalled(let number): "it was ended by signal \(number)"
    }
  }
}

/// Reads a process's output pipe and keeps the end of the text.
private final class LogTail: Sendable {
  private let kept = Mutex<[UInt8]>([])
  private let end = DispatchSemaphore(value: 0)

  /// Reads on its own thread until all writers have closed the pipe, which it closes then.
  init(_ descriptor: Int32) {
    startThread("auricle-jackd", stackBytes: 256 << 10) { [weak self, end] in
      while let bytes = Self.read(descriptor) { self?.keep(bytes) }
      close(descriptor)
      end.signal()
    }
  }

  /// Returns the available data, waiting for some; nil at the end of the pipe.
  private static func read(_ descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Glibc.read(descriptor, &bytes, bytes.count)
      if count > 0 { return Array(bytes[..<count]) }
      guard count < 0, errno == EINTR else { return nil }
    }
  }

  private func keep(_ bytes: [UInt8]) { kept.withLock { $0 = ($0 + bytes).suffix(2000) } }

  /// Waits for the last output of a process that has ended; at most a second, in case another
  /// process has inherited the pipe.
  func waitForEnd() {
    if end.wait(timeout: .now() + 1) == .success { end.signal() }
  }

  /// The kept lines, joined.
  var text: String {
    String(decoding: kept.withLock(\.self), as: UTF8.self)
      .split(whereSeparator: \.isNewline).joined(separator: "; ")
  }
}

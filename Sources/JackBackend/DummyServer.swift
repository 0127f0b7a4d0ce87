// A private JACK server without a sound card.

import Foundation
import Synchronization

/// A `jackd` process with JACK's dummy driver that belongs to this process. It ends with `stop`, or
/// when its last client has gone for any reason.
public final class DummyServer: @unchecked Sendable {
  /// The server's name for clients.
  public let name: String
  /// Whether clients find it without giving a server name.
  public var isDefault: Bool { name == Self.defaultName }
  private let process = Process()
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
    guard let jackd = Self.find("jackd") else {
      throw .dummyServerFailed("jackd is not installed; install Debian's package jackd2")
    }
    let log = Pipe()
    process.executableURL = jackd
    // -T: the server ends when its last client has gone, also if this process is killed.
    process.arguments =
      ["-n", name, "-T", RealtimeLimits.current.mayUseRealtime ? "-R" : "-r"]
      + ["-d", "dummy", "-r", "\(sampleRate)", "-p", "\(period)"]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["JACK_NO_AUDIO_RESERVATION": "1"]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = log
    process.standardError = log
    let output = LogTail(log.fileHandleForReading)
    do {
      try process.run()
    } catch {
      throw .dummyServerFailed("\(jackd.path) does not run: \(error.localizedDescription)")
    }
    self.output = output
    let identifier = process.processIdentifier
    Self.running.withLock { _ = $0.insert(identifier) }
  }

  deinit { stop() }

  /// Ends the server.
  /// - Thread: [control]
  public func stop() {
    if process.isRunning {
      process.terminate()
      let deadline = Date(timeIntervalSinceNow: 1)
      while process.isRunning && Date() < deadline { usleep(10_000) }
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
    // Even if it has already ended: Foundation releases it only then.
    process.waitUntilExit()
    let identifier = process.processIdentifier
    Self.running.withLock { _ = $0.remove(identifier) }
  }

  /// Opens the server's client as soon as it accepts clients.
  private func openClient(name: String) throws(JackError) -> JackClient {
    let deadline = Date(timeIntervalSinceNow: 10)
    while true {
      do {
        return try JackClient(name: name, server: self.name)
      } catch .noServer {
        guard process.isRunning else {
          output.waitForEnd()
          throw .dummyServerFailed(
            "it ended with status \(process.terminationStatus): \(output.text)")
        }
        guard Date() < deadline else {
          throw .dummyServerFailed("it took no client for 10 seconds: \(output.text)")
        }
        usleep(50_000)
      }
    }
  }

  private static func find(_ program: String) -> URL? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    return path.split(separator: ":").map { URL(fileURLWithPath: "\($0)/\(program)") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}

/// Reads a process's output pipe and keeps the end of the text.
private final class LogTail: @unchecked Sendable {
  private let lock = NSLock()
  private var kept = Data()
  private let end = DispatchSemaphore(value: 0)

  /// Reads on its own thread until all writers have closed the pipe. With the handle's
  /// `readabilityHandler`, libdispatch may end this process when the other one ends:
  /// <https://github.com/swiftlang/swift-corelibs-libdispatch/issues/949>
  init(_ handle: FileHandle) {
    let thread = Thread { [weak self] in
      while let data = Self.read(handle) { self?.keep(data) }
      self?.end.signal()
    }
    thread.name = "auricle-jackd"
    thread.stackSize = 256 << 10
    thread.start()
  }

  /// Returns the available data, waiting for some; nil at the end of the pipe.
  private static func read(_ handle: FileHandle) -> Data? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Glibc.read(handle.fileDescriptor, &bytes, bytes.count)
      if count > 0 { return Data(bytes[..<count]) }
      guard count < 0, errno == EINTR else { return nil }
    }
  }

  private func keep(_ data: Data) { lock.withLock { kept = (kept + data).suffix(2000) } }

  /// Waits for the last output of a process that has ended; at most a second, in case another
  /// process has inherited the pipe.
  func waitForEnd() {
    if end.wait(timeout: .now() + 1) == .success { end.signal() }
  }

  /// The kept lines, joined.
  var text: String {
    lock.withLock { String(decoding: kept, as: UTF8.self) }
      .split(whereSeparator: \.isNewline).joined(separator: "; ")
  }
}

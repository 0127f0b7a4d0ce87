// A private JACK server without a sound card.

import Foundation

/// A `jackd` on JACK's dummy driver that belongs to this process: it ends with `stop`, or by itself when
/// its last client has gone, however that happened.
public final class DummyServer: @unchecked Sendable {
  /// The name by which clients find it.
  public let name: String
  private let process = Process()
  private let output: LogTail

  /// Starts a server and opens the client for which it runs.
  /// - Throws: `dummyServerFailed` with what to do or what the server said, or what `JackClient` throws.
  /// - Thread: [control]
  public static func start(
    clientName: String
  ) throws(JackError) -> (server: DummyServer, client: JackClient) {
    // There are few names, because JACK keeps the place of a killed server, one of eight, until a
    // server of the same name starts.
    for number in 1...8 {
      let name = "auricle-\(number)"
      if (try? JackClient(name: "auricle-probe", server: name)) != nil { continue }
      let server = try DummyServer(name: name)
      do throws(JackError) {
        return (server, try server.openClient(name: clientName))
      } catch {
        // Another one may have been faster, or is ending.
        guard server.output.text.contains("already active") else { throw error }
      }
    }
    throw .dummyServerFailed("eight servers run already; end some of them (ps -C jackd)")
  }

  /// Starts the server.
  /// - Parameters:
  ///   - sampleRate: in hertz.
  ///   - period: in frames.
  /// - Throws: `dummyServerFailed` with what to do.
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
    // -T: the server ends when its last client has gone, also if we are killed.
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
  }

  deinit { stop() }

  /// Ends the server.
  /// - Thread: [control]
  public func stop() {
    if process.isRunning {
      process.terminate()
      let deadline = Date(timeIntervalSinceNow: 5)
      while process.isRunning && Date() < deadline { usleep(10_000) }
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
    // Also when it has ended by itself: Foundation lets go of it only then.
    process.waitUntilExit()
  }

  /// Opens the client for which the server runs, as soon as it takes clients.
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

/// Keeps the end of what a process prints, and keeps its pipe empty.
private final class LogTail: @unchecked Sendable {
  private let lock = NSLock()
  private var kept = Data()
  private let end = DispatchSemaphore(value: 0)

  init(_ handle: FileHandle) {
    handle.readabilityHandler = { [weak self] handle in
      let data = handle.availableData
      if data.isEmpty {
        handle.readabilityHandler = nil
        self?.end.signal()
        return
      }
      guard let self else { return }
      self.lock.withLock { self.kept = (self.kept + data).suffix(2000) }
    }
  }

  /// Waits for what a process that has ended printed last; no longer than a second, should another process
  /// have inherited its output.
  func waitForEnd() {
    if end.wait(timeout: .now() + 1) == .success { end.signal() }
  }

  var text: String {
    lock.withLock { String(decoding: kept, as: UTF8.self) }
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

// A private JACK server on the dummy driver.
import Foundation
import Synchronization

/// A private `jackd`, whose name no other running server has; it ends with this object.
///
/// ```swift
/// let server = try await JackServer.start(period: 256)
/// let auricle = try ChildProcess(builtProduct("auricle"), ["run", "--server", server.name])
/// ```
///
/// A test process runs one server at a time: `start` waits until the last reference to the previous
/// server and to its clients is released. So a test must not hold one server while it starts a
/// second.
///
/// - Thread: [any]
public final class JackServer: Sendable {
  /// Options of a server.
  public struct Options: Sendable {
    public var sampleRate = 48_000
    /// Frames a cycle.
    public var period = 256
    /// Whether a cycle waits for its clients (`-S`), instead of skipping frames when they are late.
    public var isSynchronous = false
    /// Ports of the dummy driver's device: `system:capture_…` and `system:playback_…`.
    public var capturePorts = 2
    public var playbackPorts = 2

    var arguments: [String] {
      (isSynchronous ? ["-S"] : []) + [
        "-d", "dummy", "-r", "\(sampleRate)", "-p", "\(period)", "-C", "\(capturePorts)",
        "-P", "\(playbackPorts)",
      ]
    }
  }

  /// The server's name, for `--server` or JACK_DEFAULT_SERVER.
  public let name: String
  /// Options of the last start.
  public var options: Options { lastOptions.withLock { $0 } }
  private let lastOptions: Mutex<Options>
  private let process = Mutex<ChildProcess?>(nil)
  private let realtime = Mutex(true)
  private let slot: ServerSlot
  let openClients = Mutex(0)

  private init(options: Options, slot: ServerSlot) {
    // A killed server keeps its entry among the eight that JACK can list until a server of the same
    // name starts. One name, used again and again, keeps that list from filling up.
    name = "auricle-test"
    lastOptions = Mutex(options)
    self.slot = slot
  }

  /// Starts a server and waits until it accepts clients.
  ///
  /// The server uses realtime scheduling if the machine allows it; see `isRealtime`.
  ///
  /// - Throws: `RigError.programMissing`, `RigError.serverNotReady` with the server's log.
  public static func start(_ options: Options) async throws -> JackServer {
    let server = JackServer(options: options, slot: try await ServerSlot.acquire())
    try await server.launch()
    return server
  }

  /// Starts a server with these options and the defaults of all others.
  public static func start(
    sampleRate: Int = 48_000, period: Int = 256, isSynchronous: Bool = false
  ) async throws -> JackServer {
    var options = Options()
    options.sampleRate = sampleRate
    options.period = period
    options.isSynchronous = isSynchronous
    return try await start(options)
  }

  deinit {
    guard let process = process.withLock({ $0.take() }) else { return }
    // On SIGTERM the server cleans up after itself; after 2 s it is killed.
    process.signal(SIGTERM)
    for _ in 0..<2_000 where process.isRunning { usleep(1_000) }
    process.signal(SIGKILL)
    while process.isRunning { usleep(1_000) }
    removeLeftovers()
  }

  /// Whether the server uses realtime scheduling, which needs permission.
  public var isRealtime: Bool { realtime.withLock { $0 } }

  /// Environment in which a child process finds this server by default.
  public var environment: [String: String?] {
    ["JACK_DEFAULT_SERVER": name, "JACK_NO_START_SERVER": "1"]
  }

  public var isRunning: Bool { process.withLock { $0?.isRunning ?? false } }

  /// All output of the server.
  public var log: String { process.withLock { $0?.transcript ?? "" } }

  /// Ends the server with SIGTERM and waits for its end. JACK notifies its clients of the shutdown.
  public func stop() async throws {
    try await end(with: SIGTERM)
  }

  /// Ends the server with a signal, SIGKILL for a crash, and waits for its end.
  public func kill(_ signal: Int32 = SIGKILL) async throws {
    try await end(with: signal)
  }

  /// Starts the server again with the same name after `stop` or `kill`.
  ///
  /// Release the test process's own clients first: libjack would close them a second time.
  ///
  /// - Parameter options: the new options; nil keeps the previous ones.
  public func restart(_ options: Options? = nil) async throws {
    precondition(openClients.withLock { $0 } == 0, "let go of the JackTestClients first")
    precondition(!isRunning, "stop it first")
    if let options { lastOptions.withLock { $0 = options } }
    try await launch()
  }

  private func end(with signal: Int32) async throws {
    guard let process = process.withLock({ $0 }) else { return }
    process.signal(signal)
    _ = try await process.wait()
    removeLeftovers()
  }

  private func launch() async throws {
    if try await launch(scheduling: ["-R", "-P", "60"]), !log.contains("Cannot use real-time") {
      return
    }
    if isRunning { try await stop() }
    realtime.withLock { $0 = false }
    FileHandle.standardError.write(Data("note: jackd runs without realtime scheduling here\n".utf8))
    guard try await launch(scheduling: ["-r"]) else {
      throw RigError.serverNotReady(name: name, log: log)
    }
  }

  private func launch(scheduling: [String]) async throws -> Bool {
    removeLeftovers()
    guard let jackd = installedProgram("jackd") else { throw RigError.programMissing("jackd") }
    let child = try ChildProcess(
      jackd, ["-n", name] + scheduling + options.arguments,
      environment: ["JACK_NO_AUDIO_RESERVATION": "1", "JACK_DEFAULT_SERVER": nil])
    process.withLock { $0 = child }
    // The server prints this line just before it accepts clients, so an earlier check is of no use.
    _ = try? await child.waitForLine(containing: "JACK server starting", within: .seconds(30))
    var isReady = false
    _ = await eventually(within: .seconds(30)) {
      isReady = acceptsJackClients(server: name)
      return isReady || !child.isRunning
    }
    return isReady
  }

  /// Removes files that killed servers and clients of this server's name left in shared memory.
  private func removeLeftovers() {
    let files = FileManager.default
    for entry in (try? files.contentsOfDirectory(atPath: "/dev/shm")) ?? []
    where entry.contains("_\(name)_") {
      try? files.removeItem(atPath: "/dev/shm/\(entry)")
    }
  }
}

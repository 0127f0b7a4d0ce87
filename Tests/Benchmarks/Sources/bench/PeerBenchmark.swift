// Processor time of an effect as a JACK client, against a plugin of the same family in jalv.

import Foundation

/// Both clients on a private jackd, with the same noise at the same time.
struct PeerBenchmark {
  static let period = 1024
  static let sampleRate = 48_000.0
  /// Measured seconds, each of which gives a pair of figures.
  private static let seconds = 9

  let programs: Programs

  init(auricle: URL) { programs = Programs(auricle: auricle) }

  /// - Parameter tell: receives each peer's figures, or the error if there are none.
  func measure(_ tell: (Peer, Result<Comparison, BenchmarkError>) -> Void) throws {
    let jackd = try programs.startServer(period: Self.period)
    defer { programs.end(jackd) }
    let noise = try jalv("noise", "http://gareus.org/oss/lv2/testsignal", ["mode=2"])
    defer { programs.end(noise) }
    for peer in Peer.all {
      do {
        tell(peer, .success(try measure(peer)))
      } catch let error as BenchmarkError {
        tell(peer, .failure(error))
      }
    }
  }

  private func measure(_ peer: Peer) throws -> Comparison {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "auricle-peer-\(getpid())")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    let configuration = folder.appendingPathComponent("peer.toml")
    let text = """
      [client]
      name = "ours"
      [[unit]]
      id = "unit"
      component = "\(peer.component)"
      [unit.parameters]
      \(peer.settings)
      """
    try Data(text.utf8).write(to: configuration)
    let ours = try programs.start(
      programs.auricle.path, ["run", configuration.path, "--server", programs.server],
      environment: ["XDG_RUNTIME_DIR": folder.path])
    defer { programs.end(ours) }
    let other = try jalv("peer", peer.plugin, peer.controls)
    defer { programs.end(other) }
    for port in ["ours:unit_in_1", "ours:unit_in_2"] + peer.inputs.map({ "peer:\($0)" }) {
      try connect("noise:out", port)
    }
    return try compare(ours, 2, other, peer.inputs.count)
  }

  /// Compares the processor time of both, in nanoseconds per frame and channel.
  private func compare(
    _ ours: Process, _ ourChannels: Int, _ other: Process, _ otherChannels: Int
  ) throws -> Comparison {
    sleep(1)
    var former = (RenderTime(ours), RenderTime(other))
    var pairs: [(ours: Double, baseline: Double)] = []
    for _ in 0..<Self.seconds {
      sleep(1)
      let now = (RenderTime(ours), RenderTime(other))
      guard ours.isRunning && other.isRunning else { throw BenchmarkError("one of both ended") }
      pairs.append(
        (
          now.0.nanoseconds(since: former.0) / Self.sampleRate / Double(ourChannels),
          now.1.nanoseconds(since: former.1) / Self.sampleRate / Double(otherChannels)
        ))
      former = now
    }
    return Comparison(medianOf: pairs)
  }

  private func jalv(_ name: String, _ plugin: String, _ controls: [String]) throws -> Process {
    try programs.start(
      "jalv", ["-x", "-n", name] + controls.flatMap { ["-c", $0] } + [plugin],
      environment: ["JACK_DEFAULT_SERVER": programs.server], input: Pipe())
  }

  /// Retries, because ports take a moment to appear.
  private func connect(_ output: String, _ input: String) throws {
    for _ in 0..<40 {
      let process = try programs.start(
        "jack_connect", ["-s", programs.server, output, input])
      process.waitUntilExit()
      if process.terminationStatus == 0 { return }
      usleep(100_000)
    }
    let ports = try programs.run("/usr/bin/env", ["jack_lsp", "-s", programs.server]).output
    let present = String(decoding: ports, as: UTF8.self).split(separator: "\n")
    let missing = [output, input].first { port in !present.contains { $0 == port } }
    guard let missing else { throw BenchmarkError("\(output) was not connected to \(input)") }
    throw BenchmarkError("there is no \(missing)" + Self.advice(for: missing))
  }

  /// Names the packages that a client of the benchmark needs, as the end of a message.
  private static func advice(for port: String) -> String {
    switch port.prefix(while: { $0 != ":" }) {
    case "noise": "; install the packages jalv and x42-plugins"
    case "peer": "; install the packages jalv and swh-lv2"
    default: ""
    }
  }
}

/// Processor time of each thread of a process, in nanoseconds.
private struct RenderTime {
  private let threads: [String: Double]
  private let start = ContinuousClock.now

  init(_ process: Process) {
    let folder = "/proc/\(process.processIdentifier)/task"
    var threads: [String: Double] = [:]
    for thread in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      guard let text = try? String(contentsOfFile: "\(folder)/\(thread)/schedstat", encoding: .utf8)
      else { continue }
      threads[thread] = text.split(separator: " ").first.flatMap { Double($0) }
    }
    self.threads = threads
  }

  /// Processor time of the busiest thread in a second.
  func nanoseconds(since former: RenderTime) -> Double {
    let passed = (start - former.start) / .seconds(1)
    let most = threads.map { $1 - (former.threads[$0] ?? $1) }.max() ?? 0
    return most / passed
  }
}

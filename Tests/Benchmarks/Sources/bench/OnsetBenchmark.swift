// The spread of onsets, of the sampler and of stock fluidsynth, each on a real server, by the same
// probe.

import Foundation

/// A private jackd at one period, and both programs on it.
struct OnsetBenchmark {
  /// Frames; nil where no note was heard.
  struct Spread {
    let frames: Int?
    let heard: Int
    let missing: Int
    let lost: Int
  }

  let auricle: URL
  let soundFont: URL
  private let server = "auricle-bench"

  func measure(period: Int) throws -> (ours: Spread, baseline: Spread) {
    let jackd = try start(
      "jackd",
      [
        "-n", server, getuid() == 0 ? "-R" : "-r", "-d", "dummy", "-r", "48000", "-p", "\(period)",
      ])
    defer { end(jackd) }
    try waitForServer()
    return (try measureAuricle(), try measureFluidsynth())
  }

  private func measureAuricle() throws -> Spread {
    let configuration = FileManager.default.temporaryDirectory.appendingPathComponent(
      "auricle-onset-\(ProcessInfo.processInfo.processIdentifier).toml")
    try Data(
      """
      [client]
      name = "auricle"
      [[unit]]
      id = "piano"
      component = "sampler"
      soundfont = "\(soundFont.path)"
      """.utf8
    ).write(to: configuration)
    defer { try? FileManager.default.removeItem(at: configuration) }
    let session = try start(auricle.path, ["run", configuration.path, "--server", server])
    defer { end(session) }
    return try probe(midi: "auricle:piano_midi_in", audio: "auricle:piano_out_1")
  }

  private func measureFluidsynth() throws -> Spread {
    let synth = try start(
      "fluidsynth",
      [
        "-i", "-s", "-q", "-a", "jack", "-m", "jack", "-R", "0", "-C", "0", "-r", "48000",
        "-o", "audio.jack.server=\(server)", "-o", "midi.jack.server=\(server)", soundFont.path,
      ])
    defer { end(synth) }
    return try probe(midi: "fluidsynth-midi:midi_00", audio: "fluidsynth-midi:left")
  }

  /// The instrument needs a moment for its ports to appear.
  private func probe(midi: String, audio: String) throws -> Spread {
    for _ in 0..<20 {
      let (status, output) = try run(
        auricle.path,
        [
          "probe", "--server", server, "--midi", midi, "--audio", audio, "--notes", "48",
          "--interval",
          "0.2", "--json",
        ])
      if let report = try? JSONSerialization.jsonObject(with: output) as? [String: Any] {
        let number = { (key: String) in report[key] as? Int ?? 0 }
        return Spread(
          frames: report["spreadFrames"] as? Int, heard: number("heard"),
          missing: number("missing"), lost: number("lost") + number("masked"))
      }
      guard status == 1 else { break }
      usleep(250_000)
    }
    throw BenchmarkError("the probe found no \(midi)")
  }

  private func waitForServer() throws {
    for _ in 0..<40 {
      if try run(auricle.path, ["doctor", "--server", server]).output.starts(
        with: Data("fine     JACK".utf8))
      {
        return
      }
      usleep(100_000)
    }
    throw BenchmarkError("jackd did not start")
  }

  private func start(_ program: String, _ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // Whatever thread this is, its signal mask is the child's too, and it may block SIGTERM.
    process.arguments = ["--default-signal=TERM", program] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["JACK_NO_AUDIO_RESERVATION": "1"]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  private func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: Data)
  {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, output)
  }

  private func end(_ process: Process) {
    process.terminate()
    var patience = 500
    while process.isRunning && patience > 0 {
      usleep(10_000)
      patience -= 1
    }
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }
}

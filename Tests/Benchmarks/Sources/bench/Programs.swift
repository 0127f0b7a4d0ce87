// Programs on a private JACK server.

import Foundation

/// A private jackd, and its clients.
struct Programs {
  let auricle: URL
  let server = "auricle-bench"

  func startServer(period: Int) throws -> Process {
    try need(command: auricle)
    let jackd = try start(
      "jackd",
      [
        "-n", server, getuid() == 0 ? "-R" : "-r", "-d", "dummy", "-r", "48000", "-p", "\(period)",
      ])
    for _ in 0..<40 {
      if try run(auricle.path, ["doctor", "--server", server]).output.starts(
        with: Data("fine     JACK".utf8))
      {
        return jackd
      }
      usleep(100_000)
    }
    end(jackd)
    throw BenchmarkError("jackd did not start")
  }

  func start(
    _ program: String, _ arguments: [String], environment: [String: String] = [:],
    input: Any = FileHandle.nullDevice
  ) throws -> Process {
    if !program.contains("/") { try need(program: program) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // The child inherits this thread's signal mask, which may block SIGTERM.
    process.arguments = ["--default-signal=TERM", program] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(
      environment.merging(["JACK_NO_AUDIO_RESERVATION": "1"]) { $1 }
    ) { $1 }
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: Data) {
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

  func end(_ process: Process) {
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

/// Wall-clock seconds of a program as a whole process. Its standard output is discarded.
func wallSeconds(_ program: String, _ arguments: [String]) throws -> Double {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: program)
  process.arguments = arguments
  process.standardOutput = FileHandle.nullDevice
  process.standardError = FileHandle.nullDevice
  let start = ContinuousClock.now
  try process.run()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else {
    throw BenchmarkError("\(arguments.joined(separator: " ")) failed")
  }
  return (ContinuousClock.now - start) / .seconds(1)
}

// Delay in frames from setting a value to its effect, over the socket and by OSC, and the time of
// an answer.

import Foundation
import Glibc

/// A session on a private server, driven by lines of JSON and by OSC.
struct SetBenchmark {
  /// Delay in frames, from the start of the cycle that ran when the value was sent.
  struct Delay {
    let median: Int
    let worst: Int

    init(_ frames: [Int]) {
      let sorted = frames.sorted()
      (median, worst) = (sorted[sorted.count / 2], sorted.last ?? 0)
    }
  }

  let programs: Programs
  private let rounds = 200
  private let port = 19_000 + Int(getpid()) % 1000

  init(auricle: URL) { programs = Programs(auricle: auricle) }

  /// - Returns: the delays, and the milliseconds from a value to its answer while another client's
  ///   edits of connections wait for their frames and fade.
  func measure(period: Int) throws -> (socket: Delay, osc: Delay, beside: [Double]) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "auricle-set-\(getpid())")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    let configuration = folder.appendingPathComponent("set.toml")
    try Data(
      """
      [client]
      name = "bench"
      [[unit]]
      id = "lowpass"
      component = "filter"
      [[unit]]
      id = "second"
      component = "filter"
      """.utf8
    ).write(to: configuration)
    let jackd = try programs.startServer(period: period)
    defer { programs.end(jackd) }
    let session = try programs.start(
      programs.auricle.path,
      ["run", configuration.path, "--server", programs.server, "--osc", "\(port)"],
      environment: ["XDG_RUNTIME_DIR": folder.path])
    defer { programs.end(session) }
    let socket = folder.appendingPathComponent("auricle/bench.sock").path
    let control = try ControlConnection(socket)
    return (
      Delay(try socketDelays(control)), Delay(try oscDelays(control)),
      try answerTimes(control, beside: socket)
    )
  }

  private func answerTimes(_ control: ControlConnection, beside socket: String) throws -> [Double] {
    let editor = try ControlConnection(socket)
    var times: [Double] = []
    for round in 0..<16 {
      let edit = round % 2 == 0 ? "connect" : "disconnect"
      let frame = try frame(control) + 14_400
      try editor.send(
        #"{"command":"\#(edit)","from":"lowpass:1","to":"second:1","frame":\#(frame)}"#)
      for value in 0..<10 {
        usleep(30_000)
        let start = ContinuousClock.now
        _ = try control.ask(#"{"command":"set","path":"lowpass/cutoff","value":\#(500 + value)}"#)
        times.append((ContinuousClock.now - start) / .milliseconds(1))
      }
      _ = try editor.answer()
    }
    return times.sorted()
  }

  private func frame(_ control: ControlConnection) throws -> Int {
    let status = try control.ask(#"{"command":"status"}"#)["status"] as? [String: Any]
    guard let frame = status?["frame"] as? Int else { throw BenchmarkError("no frame is told") }
    return frame
  }

  /// Waits until a random moment of a cycle.
  private func wait() { usleep(.random(in: 0..<25_000)) }

  private func socketDelays(_ control: ControlConnection) throws -> [Int] {
    try (0..<rounds).map { round in
      wait()
      let start = try frame(control)
      let answer = try control.ask(
        #"{"command":"set","path":"lowpass/cutoff","value":\#(500 + round),"tellFrame":true}"#)
      guard let end = answer["frame"] as? Int else { throw BenchmarkError("no frame is told") }
      return end - start
    }
  }

  private func lastChange(_ control: ControlConnection, since frame: Int) throws -> [String: Any]? {
    let journal =
      try control.ask(#"{"command":"journal","since":\#(frame)}"#)["journal"] as? [String: Any]
    return (journal?["changes"] as? [[String: Any]])?.last
  }

  private func oscDelays(_ control: ControlConnection) throws -> [Int] {
    let sender = try OSCSender(port: port)
    var former = -1
    return try (0..<rounds).map { round in
      wait()
      let start = try frame(control)
      sender.send("/lowpass/cutoff", Float(1_000 + round))
      for _ in 0..<1_000 {
        if let last = try lastChange(control, since: start), let number = last["number"] as? Int,
          number > former, let end = last["frame"] as? Int, last["source"] as? String == "osc"
        {
          former = number
          return end - start
        }
        usleep(1_000)
      }
      throw BenchmarkError("OSC has not set the value")
    }
  }
}

/// Sends OSC to this machine.
private final class OSCSender {
  private let descriptor: Int32

  init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if result != 0 { throw BenchmarkError("no socket for OSC") }
  }

  deinit { close(descriptor) }

  func send(_ path: String, _ value: Float) {
    func padded(_ text: String) -> [UInt8] {
      let bytes = Array(text.utf8)
      return bytes + [UInt8](repeating: 0, count: 4 - bytes.count % 4)
    }
    let number = withUnsafeBytes(of: value.bitPattern.bigEndian) { Array($0) }
    let message = padded(path) + padded(",f") + number
    _ = write(descriptor, message, message.count)
  }
}

// A test client's control of the server and of other clients' ports.
import CJack
import CTestSupport
import Foundation

extension JackTestClient {
  /// Connects two ports by their full names, and waits two cycles, so that JACK uses the
  /// connection. An existing connection is no error.
  ///
  /// - Throws: `RigError.portMissing`, `RigError.serverRefused`.
  public func connect(_ source: String, to destination: String) async throws {
    for port in [source, destination] where jack_port_by_name(handle, port) == nil {
      throw RigError.portMissing(port)
    }
    let result = jack_connect(handle, source, destination)
    guard result == 0 || result == EEXIST else {
      throw RigError.serverRefused(operation: "connecting \(source) to \(destination)")
    }
    try await waitForCycles(2)
  }

  /// Disconnects two ports, and waits two cycles.
  public func disconnect(_ source: String, from destination: String) async throws {
    guard jack_disconnect(handle, source, destination) == 0 else {
      throw RigError.serverRefused(operation: "disconnecting \(source) from \(destination)")
    }
    try await waitForCycles(2)
  }

  /// The full names of all ports that match a regular expression.
  public func ports(matching pattern: String = "") -> [String] {
    names(jack_get_ports(handle, pattern, nil, 0))
  }

  /// The full names of all ports connected to a port.
  public func connections(of port: String) -> [String] {
    guard let port = jack_port_by_name(handle, port) else { return [] }
    return names(jack_port_get_all_connections(handle, port))
  }

  /// Waits until a port of that full name exists.
  public func waitForPort(_ port: String, within limit: Duration = .seconds(30)) async throws {
    guard await eventually(within: limit, { jack_port_by_name(handle, port) != nil }) else {
      throw RigError.timedOut(waitingFor: "port \(port)", output: "\(ports())")
    }
  }

  /// Turns freewheeling on or off, and waits until JACK has notified this client.
  ///
  /// Freewheeling ends with the server, not with this client. Turn it off before a timeout can
  /// matter.
  public func setFreewheel(_ isOn: Bool) async throws {
    let answer = jack_set_freewheel(handle, isOn ? 1 : 0)
    try await waitForRestart(answer, "freewheeling (\(isOn))") {
      (rigClientIsFreewheeling(rig) != 0) == isOn
    }
  }

  /// Changes the server's period, as `jack_bufsize` does.
  public func setPeriod(_ frames: Int) async throws {
    let answer = jack_set_buffer_size(handle, UInt32(frames))
    try await waitForRestart(answer, "a period of \(frames) frames") { period == frames }
  }

  /// Waits until the server is in the requested state and runs.
  ///
  /// For such a change the server restarts its driver's thread. On a busy machine this takes more
  /// than a second; the server then returns an error although the thread runs soon after. So the
  /// state decides, not the answer.
  private func waitForRestart(
    _ answer: Int32, _ operation: String, _ isDone: () -> Bool
  ) async throws {
    guard await eventually(isDone) else {
      throw answer == 0
        ? RigError.timedOut(waitingFor: operation, output: "")
        : RigError.serverRefused(operation: operation)
    }
    if answer != 0 { try await waitForCycles(2) }
  }

  /// Waits until this client has processed `count` more cycles.
  public func waitForCycles(_ count: UInt64, within limit: Duration = .seconds(30)) async throws {
    let target = cycles + count
    let isOver = await eventually(within: limit) { cycles >= target || shutdownReason != nil }
    if let shutdownReason { throw RigError.serverGone(reason: shutdownReason) }
    if !isOver { throw RigError.timedOut(waitingFor: "cycle \(target)", output: "\(cycles)") }
  }

  private func names(_ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> [String] {
    guard let list else { return [] }
    defer { jack_free(list) }
    var names: [String] = []
    var index = 0
    while let name = list[index] {
      names.append(String(cString: name))
      index += 1
    }
    return names
  }
}

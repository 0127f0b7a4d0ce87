// Values that are set for frames to come, in a session that plays.

import ControlSocket
import Foundation
import Remotes
import SessionModel
import TestSupport
import Testing

@Suite(.serialized) struct AgendaTests {
  private struct Missing: Error {}

  private let rig: ControlRig

  init() throws { rig = try ControlRig() }

  private static let configuration = """
    [client]
    name = "planned"
    [[unit]]
    id = "first"
    component = "filter"
    parameters = { cutoff = 900 }
    [[unit]]
    id = "second"
    component = "filter"
    """

  private func ask(_ command: SessionCommand) throws -> SessionAnswer {
    let client = try rig.connect()
    try client.send(SessionLine.encode(command))
    return try SessionLine.answer(client.nextLine(isPatient: true))
  }

  private func status() throws -> SessionStatus {
    guard case .status(let status) = try ask(.status) else { throw Missing() }
    return status
  }

  private func value(_ path: String) throws -> Float? {
    guard case .parameter(let reading) = try ask(.get(path: path)) else { return nil }
    return reading.value
  }

  private func set(_ path: String, _ value: Int, inSeconds seconds: Int64) async throws -> Int64 {
    guard let now = try status().frame else { throw Missing() }
    let frame = now + seconds * 48_000
    _ = try await rig.ctl("set", path, "\(value)", "--at", "\(frame)")
    return frame
  }

  @Test func aValueForAFrameToComeIsTakenBackOnceItHasCome() async throws {
    let server = try await JackServer.start()
    let auricle = try await rig.run(Self.configuration, on: server)
    let frame = try await set("first/cutoff", 700, inSeconds: 2)
    #expect(try await rig.refusal("undo") == "auricle: there is nothing to undo\n")
    #expect(try await rig.ctl("journal") == "")
    #expect(try await eventually(within: .seconds(20)) { try value("first/cutoff") == 700 })
    #expect(try status().agenda == nil)
    #expect(
      try await rig.ctl("journal", "--since", "\(frame)")
        == "\(frame)  ctl  first/cutoff from 900 to 700\n")
    #expect(try await rig.ctl("undo") == "undone: first/cutoff from 900 to 700\n")
    #expect(try await rig.ctl("get", "first/cutoff") == "900\n")
    // What has become wrong by then is told.
    _ = try await set("second/cutoff", 700, inSeconds: 2)
    _ = try await rig.ctl("remove", "second")
    _ = try await auricle.child.waitForLine(
      containing: "cannot be: unknown unit 'second'", in: .standardError)
    #expect(try status().agenda == nil)
    try await auricle.expectEnd()
  }

  @Test func aServerThatGoesTakesItsFramesAlong() async throws {
    let server = try await JackServer.start()
    let auricle = try await rig.run(Self.configuration, on: server)
    let frame = try await set("first/cutoff", 700, inSeconds: 600)
    #expect(try status().agenda == 1)
    try await server.kill(SIGKILL)
    _ = try await auricle.child.waitForLine(
      containing: "the server has gone: first/cutoff to 700 on frame \(frame)", in: .standardError)
    #expect(try status().agenda == nil)
    #expect(
      try await rig.ctl("journal")
        == "-  ctl  first/cutoff to 700 on frame \(frame): refused, the server has gone\n")
    #expect(try await auricle.end() == .exited(0), "\(auricle.child.transcript)")
  }
}

// An engine inside the test process on a server, and commands to its session.

import AudioEngine
import BuiltInUnits
import Configuration
import ControlSocket
import Foundation
import Remotes
import TestSupport
import Testing
import UnitModel

@testable import Session
@testable import SessionModel

struct EngineSession {
  let server: JackServer
  let engine: Engine
  let folder: TemporaryDirectory

  /// - Parameter name: the engine's name, unique among the tests that run at a time.
  init(_ name: String, components: [Component] = []) async throws {
    server = try await JackServer.start(period: 64)
    engine = try Engine(
      name: name, .jack(JackSession.Options(server: server.name)), components: components)
    folder = try TemporaryDirectory()
  }

  /// Sends a command to the session, and returns the answer.
  @discardableResult
  func ctl(_ command: SessionCommand) throws -> SessionAnswer {
    let client = try ControlClient(session: engine.clientName ?? "")
    try client.send(Array(SessionWire.encode(command)))
    return try SessionWire.answer(try client.nextLine(isPatient: true))
  }

  /// The text of the error that `work` throws; nil if it throws none.
  func refusal(_ work: () async throws -> Void) async -> String? {
    do { try await work() } catch { return "\(error)" }
    return nil
  }

  /// The ids of the session's units, as reported by `list`.
  func listed() throws -> [String] {
    guard case .units(let units) = try ctl(.list(path: nil)) else { return [] }
    return units.map(\.id)
  }

  func isServerThere() throws -> Bool {
    guard case .status(let status) = try ctl(.status) else { return false }
    return status.isServerThere
  }

  /// The ids of the engine's units.
  func attached() throws -> [String] { try engine.units.map { try engine.id(of: $0) } }

  /// Saves the session, and reads it as another program would.
  ///
  /// - Parameter leftOut: the ids of the units that are expected to be left out.
  func saved(leavingOut leftOut: [String] = []) throws -> SessionConfiguration {
    let file = folder.file("saved.toml")
    guard case .saved(let answer) = try ctl(.save(file: file.path)) else {
      throw RigError.timedOut(waitingFor: "saved", output: "")
    }
    #expect(answer.leftOut ?? [] == leftOut)
    return try SessionBuilder(registry: BuiltInComponents.makeRegistry()).read(file)
  }

  /// The connections of a session as `from -> to`.
  static func connections(_ configuration: SessionConfiguration) -> Set<String> {
    Set(configuration.connections.map { "\($0.from.value.text) -> \($0.to.value.text)" })
  }

  func connections() throws -> Set<String> { Self.connections(try saved()) }
}

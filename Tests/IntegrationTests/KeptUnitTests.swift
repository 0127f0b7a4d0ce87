// What undo brings back of units that are gone, in a session that plays.

import ControlSocket
import Remotes
import TestSupport
import Testing

@testable import Session
@testable import SessionModel

@Suite(.serialized) struct KeptUnitTests {
  /// Far more changes than a session can keep units for.
  @Test func manyChangesOfUnitsAreTakenBack() async throws {
    let rig = try ControlRig()
    let server = try await JackServer.start()
    let auricle = try await rig.run(
      """
      [client]
      name = "live"
      [[unit]]
      id = "first"
      component = "filter"
      [[unit]]
      id = "second"
      component = "filter"
      """, on: server)
    let client = try rig.connect()
    func ask(_ command: SessionCommand) throws -> SessionAnswer {
      try client.send(SessionLine.encode(command))
      return try SessionLine.answer(try client.nextLine(isPatient: true))
    }
    func value(_ path: String) throws -> Float? {
      guard case .parameter(let reading) = try ask(.get(path: path)) else { return nil }
      return reading.value
    }
    let count = 50
    for number in 0..<count {
      let cutoff = "parameters.cutoff=\(500 + number)"
      _ = try ask(.replace(unit: "second", component: "filter", settings: [cutoff]))
      _ = try ask(.set(path: "second/resonance", value: .number(Double(number) / 10)))
      if number % 5 == 0 {
        _ = try ask(.add(unit: "third", component: "filter"))
        _ = try ask(.remove(unit: "third"))
      }
    }
    for number in (0..<count).reversed() {
      if number % 5 == 0 { _ = try ask(.undo(steps: 2)) }
      #expect(try value("second/cutoff") == Float(500 + number))
      #expect(try value("second/resonance") == Float(Double(number) / 10))
      _ = try ask(.undo(steps: 2))
    }
    #expect(try value("second/cutoff") == 20_000)
    #expect(throws: SessionCommandError.self) { try ask(.undo(steps: 1)) }
    _ = try ask(.redo(steps: 2 * count + 2 * (count / 5)))
    #expect(try value("second/cutoff") == Float(500 + count - 1))
    try await auricle.expectEnd()
  }
}

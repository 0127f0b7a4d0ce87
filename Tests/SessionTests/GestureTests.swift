// Gestures of clients.

import ControlSocket
import Platform
import SessionTestSupport
import TestSupport
import Testing

@testable import Remotes
@testable import Session
@testable import SessionModel

@Suite struct GestureTests {
  private let rig: KeysRig

  init() throws { rig = try KeysRig() }

  private func set(_ value: Double) -> SessionCommand {
    .set(path: "lowpass/cutoff", value: .number(value))
  }

  /// The values of a gesture are one step, however slow it is, without those around it.
  @Test func theValuesOfAGestureAreOneStep() async throws {
    let session = try await rig.run()
    try await session.ask(set(100))
    try await session.ask(.gesture(path: "lowpass/cutoff", isOn: true))
    for value in [200.0, 300, 400] {
      try await session.ask(set(value))
      await session.step(96_000)
    }
    try await session.ask(.gesture(path: "lowpass/cutoff", isOn: false))
    try await session.ask(set(500))
    await session.step(96_000)
    try await session.ask(set(600))
    for expected in [Float(500), 400, 100] {
      _ = try await session.undo()
      #expect(try await session.value("lowpass/cutoff") == expected)
    }
    let refusal = await session.refusal(.gesture(path: "lowpass/cutof", isOn: true))
    #expect(refusal.contains("did you mean 'lowpass/cutoff'?"), "\(refusal)")
    #expect(await session.end() == nil)
  }

  /// A handle in two dimensions moves both values in one step.
  @Test func parametersThatMoveTogetherAreOneStep() async throws {
    let session = try await rig.run()
    func setResonance(_ value: Double) async throws {
      try await session.ask(.set(path: "lowpass/resonance", value: .number(value)))
    }
    let (cutoff, resonance) = ("lowpass/cutoff", "lowpass/resonance")
    let before = try #require(try await session.value(cutoff))
    try await setResonance(1)
    try await session.ask(.gesture(path: cutoff, isOn: true, with: [resonance]))
    for value in [2.0, 3, 4] {
      try await session.ask(set(100 * value))
      await session.step(96_000)
      try await setResonance(value)
      // A change of something else goes its own way.
      try await session.ask(.set(path: "keys/gain", value: .number(-value)))
    }
    try await session.ask(.gesture(path: resonance, isOn: false))
    try await setResonance(5)
    let undone = try await session.undo(3)
    #expect(undone.count == 3 && undone[0] == "lowpass/resonance from 4.00 to 5.00")
    let values = try await (session.value(cutoff), session.value(resonance))
    #expect(values == (before, 1))
    #expect(undone[2].hasSuffix(" to 400, lowpass/resonance from 1.00 to 4.00"), "\(undone)")
    try await session.ask(.redo(steps: 3))
    let again = try await (session.value(cutoff), session.value(resonance))
    #expect(again == (400, 5))
    // A bypass between two values of a gesture is undone between them.
    try await session.ask(.gesture(path: cutoff, isOn: true, with: [resonance]))
    try await session.ask(set(600))
    try await session.ask(.bypass(unit: "lowpass", isOn: true))
    try await setResonance(6)
    #expect(try await session.undo(2).count == 2)
    let between = try await (session.value(cutoff), session.value(resonance))
    #expect(between == (600, 5))
    #expect(await session.refusal(.gesture(path: cutoff, isOn: true, with: ["x"])).contains("'x'"))
    #expect(await session.end() == nil)
  }

  /// A gesture is its client's, and ends with its connection.
  @Test func aGestureEndsWithItsConnection() async throws {
    let socket = try SessionSocket(name: "keys", in: rig.socketFolder)
    defer { socket.close() }
    let session = try await rig.run(socket)
    var anna: SocketClient? = try SocketClient(session: "keys", in: rig.socketFolder)
    try await anna?.ask(.hello(name: "Anna"))
    try await anna?.ask(.gesture(path: "lowpass/cutoff", isOn: true))
    try await anna?.ask(set(200))
    let ben = try SocketClient(session: "keys", in: rig.socketFolder)
    try await ben.ask(set(300))
    await session.step(96_000)
    try await ben.ask(set(400))
    _ = try await session.undo()
    #expect(try await session.value("lowpass/cutoff") == 300)
    anna = nil
    // Another connection of that name has begun no gesture.
    let again = try SocketClient(session: "keys", in: rig.socketFolder)
    try await again.ask(.hello(name: "Anna"))
    try await again.ask(set(500))
    await session.step(96_000)
    try await again.ask(set(600))
    _ = try await session.undo()
    #expect(try await session.value("lowpass/cutoff") == 500)
    #expect(await session.end() == nil)
  }

  @Test func aSessionTellsItsAbilities() async throws {
    let socket = try SessionSocket(name: "keys", in: rig.socketFolder)
    defer { socket.close() }
    let session = try await rig.run(socket)
    let client = try SocketClient(session: "keys", in: rig.socketFolder)
    guard case .hello(let hello) = try await client.ask(.hello()) else { return }
    #expect(hello.version == programVersion && hello.topics == ["graph", "load", "session"])
    #expect(hello.commands.contains("gesture") && hello.commands.contains("midi"))
    #expect(await session.end() == nil)
  }
}

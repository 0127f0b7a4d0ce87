// MIDI of a socket's clients.

import ControlSocket
import SessionTestSupport
import Synchronization
import TestSupport
import Testing

@testable import Remotes
@testable import Session
@testable import SessionModel

@Suite struct ControlMIDITests {
  private let rig: KeysRig

  init() throws { rig = try KeysRig() }

  /// A message for a frame sounds as one that arrives at the unit's port on that frame.
  @Test(arguments: [0, 100])
  func aMessageTakesEffectOnItsFrame(offset: Int) async throws {
    let (session, ported) = (try await rig.run(), try await rig.run())
    let start = 5_120 + offset
    ported.send(
      [
        TimedMIDI(frame: start, bytes: [0x90, 60, 127]),
        TimedMIDI(frame: start + 4_800, bytes: [0x80, 60, 0]),
      ], to: "keys_midi_in")
    await session.step(4_608)
    try await session.ask(.midi(unit: "keys", bytes: [0x90, 60, 127], frame: Int64(start)))
    try await session.ask(.midi(unit: "keys", bytes: [0x80, 60, 0], frame: Int64(start + 4_800)))
    for session in [session, ported] { await session.step(12_288 - Int(session.frame)) }
    let audio = session.audio("keys_out_1")
    #expect(audio == ported.audio("keys_out_1") && audio.contains { $0 != 0 })
    for session in [session, ported] { #expect(await session.end() == nil) }
  }

  @Test(arguments: [
    ([], "no MIDI message"), ([0x90], "no MIDI message"), ([0x90, 60], "no MIDI message"),
    ([0x90, 60, 128], "no MIDI message"), ([0x90, 60, -1], "no MIDI message"),
    ([60, 60, 60], "no MIDI message"), ([0xC0, 1, 1], "no MIDI message"),
    ([0xF8], "no MIDI message"), ([0xF0, 1, 0xF7], "no MIDI message"), ([1 << 40], "no MIDI"),
    ([0x90, 60, 1, 0x90, 61, 1], "accepted: a channel message with its status"),
  ])
  func onlyChannelMessagesAreAccepted(bytes: [Int], expected: String) async throws {
    let session = try await rig.run()
    #expect(await session.refusal(.midi(unit: "keys", bytes: bytes)).contains(expected))
    #expect(await session.end() == nil)
  }

  @Test func framesFarAheadAreRefused() async throws {
    let session = try await rig.run()
    await session.step(4_800)
    for (frame, expected) in [
      (Int64.max, "more than 60 seconds ahead"), (48_000 * 61, "more than 60 seconds ahead"),
    ] {
      let refusal = await session.refusal(.midi(unit: "keys", bytes: [0xC0, 1], frame: frame))
      #expect(refusal.contains(expected), "\(refusal)")
    }
    // One that has passed is the next possible one.
    for frame in [Int64.min, 0] {
      try await session.ask(.midi(unit: "keys", bytes: [0x90, 60, 100], frame: frame))
      #expect(await rig.hasVoices(1, session))
      try await session.ask(.midi(unit: "keys", bytes: [0x80, 60, 100], frame: frame))
      #expect(await rig.hasVoices(0, session))
    }
    #expect(await session.end() == nil)
  }

  @Test func unitsWithoutMIDIRefuseIt() async throws {
    let session = try await rig.run()
    let refusal = await session.refusal(.midi(unit: "lowpass", bytes: [0xC0, 1]))
    #expect(refusal.contains("'lowpass' takes no MIDI; accepted: keys"))
    try await session.ask(.midi(unit: "keys", bytes: [0xC0, 1]))
    #expect(await session.end() == nil)
  }

  /// A client that goes leaves neither a key nor a pedal, also if its last message is on its way.
  @Test func keysAndPedalsOfAClientAreReleasedWhenItGoes() async throws {
    let socket = try SessionSocket(name: "keys", in: rig.socketFolder)
    defer { socket.close() }
    let session = try await rig.run(socket)
    var first: SocketClient? = try SocketClient(session: "keys", in: rig.socketFolder)
    let other = try SocketClient(session: "keys", in: rig.socketFolder)
    for bytes in [[0x90, 60, 100], [0x90, 60, 100], [0x91, 62, 100], [0x90, 64, 100]] {
      try await first?.ask(.midi(unit: "keys", bytes: bytes))
    }
    try await other.ask(.midi(unit: "keys", bytes: [0x90, 67, 100]))
    // The pedal holds the released key.
    try await first?.ask(.midi(unit: "keys", bytes: [0xB0, 64, 127]))
    try await first?.ask(.midi(unit: "keys", bytes: [0x80, 64, 0]))
    #expect(await rig.hasVoices(5, session))
    first = nil
    #expect(await rig.hasVoices(1, session))
    try await other.ask(.midi(unit: "keys", bytes: [0x80, 67, 0]))
    #expect(await rig.hasVoices(0, session))
    #expect(await session.end() == nil)
  }

  /// A press beyond the maximum is refused, its end and other messages are not.
  @Test func aClientHoldsALimitedNumber() async throws {
    let socket = try SessionSocket(name: "keys", in: rig.socketFolder)
    defer { socket.close() }
    let session = try await rig.run(socket)
    let client = try SocketClient(session: "keys", in: rig.socketFolder)
    for number in 0..<HeldKeys<Int64>.maximumPresses {
      try await client.ask(.midi(unit: "keys", bytes: [0x90, 60, 1 + number % 100]))
      if number % 16 == 0 { await session.step(256) }
    }
    await session.step(256)
    for bytes in [[0x90, 60, 1], [0xB0, 64, 127]] {
      await #expect(throws: SessionCommandError.self) {
        try await client.ask(.midi(unit: "keys", bytes: bytes))
      }
    }
    for bytes in [[0xB0, 7, 100], [0x80, 60, 0], [0x90, 60, 1]] {
      try await client.ask(.midi(unit: "keys", bytes: bytes))
    }
    #expect(await session.end() == nil)
  }

  /// A full queue takes the end of a note later; until then that key cannot be pressed.
  @Test(arguments: [true, false])
  func aFullQueueStillTakesReleases(isTimed: Bool) async throws {
    let session = try await rig.run()
    try await session.ask(.midi(unit: "keys", bytes: [0x90, 60, 100]))
    #expect(await rig.hasVoices(1, session))
    let frame = isTimed ? session.frame + 48_000 : nil
    func play(_ bytes: [Int], at frame: Int64? = nil) async -> String {
      do {
        return "\(try await session.askAtOnce(.midi(unit: "keys", bytes: bytes, frame: frame)))"
      } catch { return "\(error)" }
    }
    var answer = "done"
    for _ in 0..<10_000 where answer == "done" { answer = await play([0xB0, 7, 100], at: frame) }
    #expect(answer.contains("the unit's event queue is full"))
    #expect(await play([0x80, 60, 0], at: frame) == "done")
    #expect(await play([0x80, 60, 64], at: frame) == "done")
    #expect(await play([0x90, 60, 100]).contains("the unit's event queue is full"))
    if isTimed { #expect(await play([0xC0, 0]) == "done") }
    #expect(await rig.hasVoices(0, session))
    if let frame { #expect(session.frame >= frame) }
    #expect(await play([0x90, 60, 100]) == "done")
    #expect(await rig.hasVoices(1, session))
    #expect(await session.end() == nil)
  }

  @Test func whatSoundedAtAnotherServerIsNotReleased() {
    let (held, sent) = recorded()
    held.take([0x90, 60, 1], at: "a", frame: 1 << 40, server: 0)
    held.take([0x90, 61, 1], at: "a", frame: 100, server: 1)
    held.end()
    #expect(sent() == [.midi(unit: "a", bytes: [0x80, 61, 64], frame: 100)])
  }

  @Test func pressesAreCounted() {
    let (held, sent) = recorded()
    func play(_ messages: [UInt8]..., at unit: String, frame: Int64? = nil) {
      for bytes in messages { held.take(bytes, at: unit, frame: frame, server: 0) }
    }
    play([0x93, 60, 1], [0x93, 60, 1], [0x93, 60, 1], at: "a", frame: 100)
    play([0x93, 60, 0], [0x93, 61, 1], [0x83, 61, 1], at: "a", frame: 90)
    play([0x95, 61, 1], [0xB5, 123, 0], [0xC5, 9], at: "a")
    play(
      [0xB5, 64, 64], [0xB5, 64, 65], [0xB4, 66, 64], [0xB4, 121, 0], [0xB4, 7, 64], at: "b")
    held.end()
    let texts = sent().map { "\($0.written.values["bytes"] as? [Int] ?? [])" }.sorted()
    #expect(texts == ["[131, 60, 64]", "[131, 60, 64]", "[181, 64, 0]"])
    // A message that was on its way when the client went is released at once, after all others.
    play([0x90, 1, 1], at: "a")
    #expect(sent() == [.midi(unit: "a", bytes: [0x80, 1, 64], frame: 100)])
  }

  /// Returns what a client holds, and a function that takes the commands that release it.
  private func recorded() -> (ClientHold, () -> [SessionCommand]) {
    let sent = Sent()
    return (
      ClientHold { command, _ in sent.commands.withLock { $0.append(command) } },
      {
        sent.commands.withLock { commands in
          defer { commands = [] }
          return commands
        }
      }
    )
  }
}

private final class Sent: Sendable { let commands = Mutex<[SessionCommand]>([]) }

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
  private let directory: TemporaryDirectory
  private let folder: ControlFolder

  init() throws {
    directory = try TemporaryDirectory()
    folder = ControlFolder(environment: ["XDG_RUNTIME_DIR": directory.url.path])
  }

  private func run(_ socket: SessionSocket? = nil) async throws -> SteppedSession {
    try SoundFontMaker.endless().write(to: directory.file("a.sf2"))
    return try await SteppedSession(
      directory.write(
        """
        [[unit]]
        id = "keys"
        component = "sampler"
        soundfont = "a.sf2"
        [[unit]]
        id = "lowpass"
        component = "filter"
        """, to: "session.toml"), socket: socket)
  }

  /// Steps until the sampler has a number of voices.
  private func hasVoices(_ count: Int, _ session: SteppedSession) async -> Bool {
    await session.step(until: {
      guard case .status(let status)? = try? await session.askAtOnce(.status) else { return false }
      return status.unitStatus?.first?.voices == count
    })
  }

  /// A message for a frame sounds as one that arrives at the unit's port on that frame.
  @Test(arguments: [0, 100])
  func aMessageTakesEffectOnItsFrame(offset: Int) async throws {
    let (session, ported) = (try await run(), try await run())
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
    let session = try await run()
    #expect(await session.refusal(.midi(unit: "keys", bytes: bytes)).contains(expected))
    #expect(await session.end() == nil)
  }

  @Test func framesFarAheadAreRefused() async throws {
    let session = try await run()
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
      #expect(await hasVoices(1, session))
      try await session.ask(.midi(unit: "keys", bytes: [0x80, 60, 100], frame: frame))
      #expect(await hasVoices(0, session))
    }
    #expect(await session.end() == nil)
  }

  @Test func unitsWithoutMIDIRefuseIt() async throws {
    let session = try await run()
    let refusal = await session.refusal(.midi(unit: "lowpass", bytes: [0xC0, 1]))
    #expect(refusal.contains("'lowpass' takes no MIDI; accepted: keys"))
    try await session.ask(.midi(unit: "keys", bytes: [0xC0, 1]))
    #expect(await session.end() == nil)
  }

  /// A client that goes leaves neither a key nor a pedal, also if its last message is on its way.
  @Test func keysAndPedalsOfAClientAreReleasedWhenItGoes() async throws {
    let socket = try SessionSocket(name: "keys", in: folder)
    defer { socket.close() }
    let session = try await run(socket)
    var first: SocketClient? = try SocketClient(session: "keys", in: folder)
    let other = try SocketClient(session: "keys", in: folder)
    for bytes in [[0x90, 60, 100], [0x90, 60, 100], [0x91, 62, 100], [0x90, 64, 100]] {
      try await first?.ask(.midi(unit: "keys", bytes: bytes))
    }
    try await other.ask(.midi(unit: "keys", bytes: [0x90, 67, 100]))
    // The pedal holds the released key.
    try await first?.ask(.midi(unit: "keys", bytes: [0xB0, 64, 127]))
    try await first?.ask(.midi(unit: "keys", bytes: [0x80, 64, 0]))
    #expect(await hasVoices(5, session))
    first = nil
    #expect(await hasVoices(1, session))
    try await other.ask(.midi(unit: "keys", bytes: [0x80, 67, 0]))
    #expect(await hasVoices(0, session))
    #expect(await session.end() == nil)
  }

  @Test func pressesAreCounted() {
    let sent = Mutex<[SessionCommand]>([])
    let held = HeldMIDI { command in sent.withLock { $0.append(command) } }
    func play(_ messages: [UInt8]..., at unit: String, frame: Int64? = nil) {
      for bytes in messages { held.take(bytes, at: unit, frame: frame) }
    }
    play([0x93, 60, 1], [0x93, 60, 1], [0x93, 60, 1], at: "a", frame: 100)
    play([0x93, 60, 0], [0x93, 61, 1], [0x83, 61, 1], at: "a", frame: 90)
    play([0x95, 61, 1], [0xB5, 123, 0], [0xC5, 9], at: "a")
    play([0xB5, 64, 64], [0xB4, 66, 64], [0xB4, 121, 0], [0xB4, 7, 64], at: "b")
    held.end()
    let texts = sent.withLock { sent in
      defer { sent = [] }
      return sent.map { "\($0.written.values["bytes"] as? [Int] ?? [])" }.sorted()
    }
    #expect(texts == ["[131, 60, 64]", "[131, 60, 64]", "[181, 64, 0]"])
    // A message that was on its way when the client went is released at once, after all others.
    play([0x90, 1, 1], at: "a")
    #expect(
      sent.withLock { $0 } == [.midi(unit: "a", bytes: [0x80, 1, 64], frame: 100)])
  }

  @Test func aClientHoldsALimitedNumber() {
    let held = HeldMIDI { _ in }
    for number in 0..<HeldMIDI.maximumCount {
      #expect(held.hasRoom)
      held.take([0x90, 1, 1], at: "\(number)", frame: nil)
    }
    #expect(!held.hasRoom)
  }
}

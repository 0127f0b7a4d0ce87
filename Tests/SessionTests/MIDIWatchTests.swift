// MIDI of units for those who watch it.

import ControlSocket
import Foundation
import SessionTestSupport
import TestSupport
import Testing

@testable import Remotes
@testable import Session
@testable import SessionModel

@Suite struct MIDIWatchTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// A unit that sends all notes an octave higher to a sampler, and another sampler.
  private func run(
    period: Int, _ others: String = "", socket: SessionSocket? = nil
  ) async throws -> SteppedSession {
    try SoundFontMaker.endless().write(to: directory.file("a.sf2"))
    return try await SteppedSession(
      directory.write(
        """
        [[unit]]
        id = "up"
        component = "midi"
        midi = [ { stage = "transpose", semitones = 12 } ]
        [[unit]]
        id = "keys"
        component = "sampler"
        soundfont = "a.sf2"
        [[unit]]
        id = "other"
        component = "sampler"
        soundfont = "a.sf2"
        [[connect]]
        from = "up"
        to = "keys:midi"
        [[connect]]
        from = "system:midi_*"
        to = "up:midi"
        [[connect]]
        from = "system:midi_*"
        to = "other:midi"

        """ + others, to: "session.toml"), period: period, socket: socket)
  }

  private struct Event: Equatable, CustomStringConvertible {
    let frame: Int64
    let bytes: [UInt8]
    var isSent = false
    var description: String { "\(frame) \(bytes)\(isSent ? " sent" : "")" }
  }

  private func readings(_ notices: SteppedSession.Notices) -> [MIDIReading] {
    notices.take().compactMap { if case .midi(let reading) = $0 { reading } else { nil } }
  }

  private func told(_ readings: [MIDIReading], of unit: String) -> [Event] {
    readings.flatMap { $0.units[unit]?.events ?? [] }.map {
      Event(frame: $0.frame, bytes: $0.bytes, isSent: $0.isSent)
    }
  }

  private func play(_ session: SteppedSession, _ events: [Event], at port: String) {
    session.send(
      events.map { TimedMIDI(frame: Int($0.frame), bytes: $0.bytes) }, to: port)
  }

  /// On the first and the last frame of a cycle, several on a frame, and within cycles.
  private static let events = [
    Event(frame: 2_048, bytes: [0x90, 60, 100]), Event(frame: 3_071, bytes: [0x80, 60, 1]),
    Event(frame: 3_072, bytes: [0xB0, 64, 127]), Event(frame: 3_072, bytes: [0x93, 61, 1]),
    Event(frame: 10_001, bytes: [0xE0, 1, 2]), Event(frame: 10_001, bytes: [0xC0, 5]),
    Event(frame: 10_002, bytes: [0xF8]), Event(frame: 30_003, bytes: [0x83, 61, 2]),
  ]

  @Test(arguments: [16, 1024])
  func eventsAreToldWithTheirFrames(period: Int) async throws {
    let session = try await run(period: period)
    let all = await session.watch(midi: ["*"])
    let one = await session.watch(midi: ["keys"])
    let huge = [0xF0] + [UInt8](repeating: 3, count: 4000) + [0xF7]
    play(session, Self.events + [Event(frame: 40_000, bytes: huge)], at: "up_midi_in")
    play(session, [Event(frame: 10_003, bytes: [0x90, 1, 2])], at: "other_midi_in")
    await session.step(48_128)
    let found = readings(all)
    let cut = Event(frame: 40_000, bytes: Array(huge.prefix(32)))
    #expect(told(found, of: "up").filter { !$0.isSent } == Self.events + [cut])
    // The stage moves keys only; what it sends is what the next unit receives, on the same frames.
    let higher = (Self.events + [cut]).map { event in
      let isNote = [0x80, 0x90].contains(event.bytes[0] & 0xF0)
      return Event(
        frame: event.frame,
        bytes: isNote ? [event.bytes[0], event.bytes[1] + 12, event.bytes[2]] : event.bytes)
    }
    #expect(
      told(found, of: "up").filter(\.isSent).map { Event(frame: $0.frame, bytes: $0.bytes) }
        == higher)
    #expect(told(found, of: "keys") == higher)
    #expect(told(found, of: "other") == [Event(frame: 10_003, bytes: [0x90, 1, 2])])
    let long = found.flatMap { $0.units["keys"]?.events ?? [] }.map(\.byteCount).max()
    #expect(long == 4002)
    #expect(found.allSatisfy { $0.units.values.allSatisfy { $0.lost == 0 } })
    #expect(found.allSatisfy { $0.sampleRate == 48_000 })
    // Several watch: the same events, of their own units.
    let narrow = readings(one)
    #expect(told(narrow, of: "keys") == higher)
    #expect(narrow.allSatisfy { Array($0.units.keys) == ["keys"] })
    #expect(await session.end() == nil)
  }

  private static let secondTape = """
    [[unit]]
    id = "slower"
    component = "varispeed"
    parameters = { rate = 1.5 }
    [[connect]]
    from = "tape"
    to = "slower"
    """

  /// Events of a unit before time effects have the session's frames.
  @Test(arguments: [16, 1024], [false, true])
  func eventsOfAChainAreToldOnTheSessionsFrames(period: Int, isNested: Bool) async throws {
    let session = try await run(
      period: period,
      """
      [[unit]]
      id = "tape"
      component = "varispeed"
      parameters = { rate = 2 }
      [[connect]]
      from = "keys"
      to = "tape"

      """ + (isNested ? Self.secondTape : ""))
    let notices = await session.watch(midi: ["up", "keys"])
    play(session, Self.events, at: "up_midi_in")
    await session.step(48_128)
    let found = readings(notices)
    #expect(told(found, of: "up").filter { !$0.isSent } == Self.events)
    #expect(told(found, of: "keys").map(\.frame) == Self.events.map(\.frame))
    #expect(await session.end() == nil)
  }

  @Test func onlyWatchedUnitsRecord() async throws {
    let session = try await run(period: 256)
    let first = await session.watch(midi: ["other"])
    first.end()
    play(session, [Event(frame: 300, bytes: [0x90, 1, 2])], at: "other_midi_in")
    await session.step(4_864)
    #expect(readings(first).isEmpty)
    // Nor does a later watch get what was before it.
    let second = await session.watch(midi: ["other"])
    play(session, [Event(frame: 6_000, bytes: [0x80, 1, 2])], at: "other_midi_in")
    await session.step(4_864)
    #expect(told(readings(second), of: "other") == [Event(frame: 6_000, bytes: [0x80, 1, 2])])
    // A unit that replaces another is watched too.
    try await session.ask(.replace(unit: "other", component: "midi"))
    let frame = session.frame + 5_000
    play(session, [Event(frame: frame, bytes: [0x90, 1, 2])], at: "other_midi_in")
    await session.step(9_728)
    #expect(
      told(readings(second), of: "other") == [
        Event(frame: frame, bytes: [0x90, 1, 2]),
        Event(frame: frame, bytes: [0x90, 1, 2], isSent: true),
      ])
    #expect(
      await session.refusal(.watch(paths: [], midi: ["othre"])).contains("did you mean 'other'"))
    #expect(await session.end() == nil)
  }

  @Test func whatAFloodLosesIsCountedAndDisturbsNothingElse() async throws {
    let session = try await run(period: 1024)
    let notices = await session.watch(midi: ["*"])
    let flood = (0..<3000).map {
      Event(frame: 2_048 + Int64($0) / 3, bytes: [0xB0, 1, UInt8($0 % 128)])
    }
    play(session, flood, at: "other_midi_in")
    play(session, Self.events, at: "up_midi_in")
    await session.step(48_128)
    let found = readings(notices)
    #expect(told(found, of: "other") == Array(flood.prefix(1024)))
    #expect(found.reduce(0) { $0 + ($1.units["other"]?.lost ?? 0) } == 3000 - 1024)
    #expect(told(found, of: "up").filter { !$0.isSent } == Self.events)
    #expect(found.reduce(0) { $0 + ($1.units["up"]?.lost ?? 0) } == 0)
    guard case .status(let status) = try await session.ask(.status) else { return }
    #expect(status.counts.isEmpty)
    #expect(await session.end() == nil)
  }

  /// A client that does not read costs one bounded reading, and each event is sent or counted.
  @Test func aClientThatDoesNotReadLosesOnlyWhatIsCounted() async throws {
    let folder = ControlFolder(environment: ["XDG_RUNTIME_DIR": directory.url.path])
    let socket = try SessionSocket(name: "stage", in: folder)
    defer { socket.close() }
    let session = try await run(period: 1024, socket: socket)
    let client = try ControlClient(in: folder)
    try client.send(SessionWire.encode(.watch(paths: [], midi: ["other"])))
    #expect(await session.step(until: { (try? client.nextLine()) != nil }))
    let start = session.frame + 2_048
    let count = 60_000
    play(
      session,
      (0..<count).map { Event(frame: start + Int64($0), bytes: [0xB0, 1, UInt8($0 % 128)]) },
      at: "other_midi_in")
    await session.step(count + 8_192)
    var (told, lost): ([Int64], Int) = ([], 0)
    while told.count + lost < count {
      guard case .midi(let reading)? = try SessionWire.notice(client.nextLine()) else { continue }
      let unit = try #require(reading.units["other"])
      #expect(unit.events.count <= MIDIReading.mostEvents)
      told += unit.events.map(\.frame)
      lost += unit.lost
    }
    #expect(told.count + lost == count && lost > 0)
    #expect(told == told.sorted() && Set(told).count == told.count)
    #expect(await session.end() == nil)
  }

  @Test func aReadingIsBoundedAndAFloodLeavesRoom() {
    func unit(_ count: Int, from frame: Int64 = 0) -> MIDIReading.Unit {
      .init(
        events: (0..<count).map {
          .init(
            frame: frame + Int64($0), bytes: [0xF8], byteCount: 1, isSent: false, cable: 0)
        }, lost: 0)
    }
    var reading = MIDIReading(frame: 0, sampleRate: 48_000, units: [:])
    reading.add(MIDIReading(frame: 5, sampleRate: 48_000, units: ["a": unit(5000), "b": unit(3)]))
    #expect(reading.units["b"]?.events.count == 3 && reading.units["b"]?.lost == 0)
    #expect(reading.units["a"]?.events.count == 1021 && reading.units["a"]?.lost == 3979)
    reading.add(MIDIReading(frame: 9, sampleRate: 48_000, units: ["b": unit(1, from: 5000)]))
    #expect(reading.units["b"]?.events.count == 3 && reading.units["b"]?.lost == 1)
    #expect(reading.frame == 9)
    // Events after lost ones are lost too: they would be taken for earlier ones.
    var other = MIDIReading(frame: 0, sampleRate: 48_000, units: [:])
    var first = unit(2)
    first.lost = 5
    other.add(MIDIReading(frame: 1, sampleRate: 48_000, units: ["a": first]))
    other.add(MIDIReading(frame: 2, sampleRate: 48_000, units: ["a": unit(3, from: 9)]))
    #expect(other.units["a"]?.events.count == 2 && other.units["a"]?.lost == 8)
  }
}

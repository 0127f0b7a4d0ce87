// Entries selected by program changes: they are in the journal, and are no undo steps.

import Foundation
import SessionTestSupport
import TestSupport
import Testing

@testable import Session
@testable import SessionModel

@Suite struct PlayedEntryTests {
  private static let periods = [16, 256, 2048]
  private let directory: TemporaryDirectory

  /// Writes two SoundFonts: a constant on the left, a constant on the right.
  init() throws {
    directory = try TemporaryDirectory()
    for (name, pan) in [("left", -50.0), ("right", 50)] {
      let zone = SoundFontMaker.Zone(sample: .constant(), panPercent: pan, tracksKey: false)
      try SoundFontMaker(presets: [.init(name: name, zones: [zone])])
        .write(to: directory.file("\(name).sf2"))
    }
  }

  /// Starts a session with one sampler and further configuration.
  private func run(
    _ others: String = "", period: Int = 256, isOffline: Bool = true
  ) async throws -> SteppedSession {
    let file = try directory.write(
      """
      [[unit]]
      id = "keys"
      component = "sampler"
      soundfont = "left.sf2"
      entry-preload = false
      [[unit.entry]]
      number = 0
      name = "Left"
      parameters = { gain = -1.0 }
      [[unit.entry]]
      number = 5
      name = "Right"
      soundfont = "right.sf2"
      parameters = { gain = -5.0 }
      [[unit.entry]]
      number = 9
      name = "Soft"
      parameters = { gain = -9.0 }
      \(others)
      """, to: "session.toml")
    let session = try await SteppedSession(file, period: period, isOffline: isOffline)
    await session.step(4_800)
    return session
  }

  private static func program(_ number: UInt8, at frame: Int64) -> TimedMIDI {
    TimedMIDI(frame: Int(frame), bytes: [0xC0, number])
  }

  /// Returns the journal's changes in short: the source, the frame and the text.
  private func changeTexts(_ session: SteppedSession) async throws -> [String] {
    try await session.journal().map { change in
      #expect(change.path == "keys" || change.source != .controller)
      #expect(change.lastFrame == nil)
      return "\(change.source.rawValue) \(change.frame.map(String.init) ?? "-") \(change.text)"
    }
  }

  private func gain(_ session: SteppedSession) async throws -> Float? {
    await session.step(4_800)
    return try await session.value("keys/gain")
  }

  @Test(arguments: periods)
  func eachPlayedEntryIsRecordedOnItsFrameAndIsNoStep(period: Int) async throws {
    let session = try await run(period: period)
    #expect(!session.isUnsaved)
    let frame = session.frame + 1_001
    session.send(
      [
        Self.program(5, at: frame), Self.program(5, at: frame + 700),
        // No entry has the number.
        Self.program(77, at: frame + 800), Self.program(9, at: frame + 30_000),
        // One entry takes over in each block of 64 frames.
        Self.program(0, at: frame + 30_000),
      ], to: "keys_midi_in")
    await session.step(48_000)
    let bound = (frame + 30_000) / 64 * 64 + 64
    #expect(
      try await changeTexts(session) == [
        "controller \(frame) keys: entry 5 'Right'",
        "controller \(frame + 700) keys: entry 5 'Right'",
        "controller \(frame + 30_000) keys: entry 9 'Soft'",
        "controller \(bound) keys: entry 0 'Left'",
      ])
    #expect(session.isUnsaved)
    guard case .status(let status) = try await session.ask(.status) else { return }
    #expect(!status.isDirty)
    #expect(await session.refusal(.undo(steps: 1)).contains("there is nothing to undo"))
    #expect(await session.end() == nil)
  }

  @Test func entriesSelectedOtherwiseAreRecordedOnce() async throws {
    let session = try await run(
      """
      [[scene]]
      name = "Soft one"
      entries = { keys = "Soft" }
      [[map]]
      scene = "Soft one"
      program = 3
      """)
    try await session.ask(.entry(unit: "keys", .number(5)))
    await session.step(4_800)
    try await session.ask(.preset(unit: "keys", .load("Left")))
    await session.step(4_800)
    try await session.ask(.scene(.load("Soft one")))
    await session.step(4_800)
    try await session.ask(.undo(steps: 2))
    await session.step(4_800)
    try await session.ask(.redo(steps: 1))
    await session.step(4_800)
    session.send([Self.program(3, at: session.frame)], to: "control_midi_in")
    await session.step(9_600)
    #expect(try await gain(session) == -9)
    #expect(
      try await session.journal().map { "\($0.source.rawValue) \($0.text)" } == [
        "ctl keys: entry 5", "ctl keys: preset 'Left'", "ctl scene 'Soft one'",
        "undo scene 'Soft one'", "undo keys: preset 'Left'", "redo keys: preset 'Left'",
        "controller scene 'Soft one'",
      ])
    #expect(await session.end() == nil)
  }

  /// Also if the commands follow the program change at once.
  @Test(arguments: [1, 4_800])
  func anUndoRestoresThePlayedEntry(pause: Int) async throws {
    let session = try await run(period: 64)
    try await session.ask(.entry(unit: "keys", .number(9)))
    await session.step(4_800)
    let frame = session.frame + 5
    session.send([Self.program(5, at: frame)], to: "keys_midi_in")
    await session.step(64 + pause)
    try await session.ask(.entry(unit: "keys", .number(0)))
    #expect(try await gain(session) == -1)
    let texts = try await changeTexts(session).map {
      String($0.split(separator: " ", maxSplits: 2)[2])
    }
    #expect(texts == ["keys: entry 9", "keys: entry 5 'Right'", "keys: entry 0"])
    try await session.ask(.undo(steps: 1))
    #expect(try await gain(session) == -5)
    guard case .presets(let presets) = try await session.ask(.preset(unit: "keys", .list))
    else { return }
    #expect(presets.filter(\.isCurrent).map(\.name) == ["Right"])
    #expect(presets.allSatisfy { $0.bank == nil })
    session.send(
      [TimedMIDI(frame: Int(session.frame), bytes: [0x90, 60, 127])], to: "keys_midi_in")
    await session.step(4_800)
    #expect(session.audio("keys_out_1").last == 0 && session.audio("keys_out_2").last! > 0.01)
    try await session.ask(.undo(steps: 1))
    #expect(try await gain(session) == -1)
    #expect(await session.end() == nil)
  }

  /// Two values of one parameter within a second are one step, unless an entry is selected between
  /// them.
  @Test func anEntryPartsTwoValues() async throws {
    let session = try await run()
    let path = "keys/gain"
    try await session.ask(.set(path: path, value: .number(-20)))
    await session.step(4_800)
    session.send([Self.program(5, at: session.frame)], to: "keys_midi_in")
    await session.step(4_800)
    try await session.ask(.set(path: path, value: .number(-30)))
    try await session.ask(.undo(steps: 1))
    #expect(try await gain(session) == -5)
    try await session.ask(.undo(steps: 1))
    #expect(try await gain(session) == -1)
    #expect(await session.end() == nil)
  }

  /// The value before is the entry's, not the target of a ramp.
  @Test func anEntryEndsTheRampsOfItsParameters() async throws {
    let session = try await run()
    let path = "keys/gain"
    try await session.ask(.set(path: path, value: .number(-40), rampMilliseconds: 20_000))
    await session.step(4_800)
    session.send([Self.program(5, at: session.frame)], to: "keys_midi_in")
    await session.step(4_800)
    try await session.ask(.together([.set(path: path, value: .number(-30))], frame: nil))
    #expect(try await gain(session) == -30)
    try await session.ask(.undo(steps: 1))
    #expect(try await gain(session) == -5)
    #expect(await session.end() == nil)
  }

  @Test(arguments: [64, 1_024])
  func anEntryThatWaitsForItsSoundFontIsRecordedOnItsTakeover(period: Int) async throws {
    let session = try await run(period: period, isOffline: false)
    let frame = session.frame + 3
    session.send([Self.program(5, at: frame)], to: "keys_midi_in")
    // The entry's values apply from the first frame of the cycle in which it takes over.
    var start: Int64?
    while start == nil, session.frame < 48_000 * 60 {
      let next = session.frame
      await session.step(period)
      try await Task.sleep(for: .microseconds(500))
      guard case .parameter(let gain) = try await session.askAtOnce(.get(path: "keys/gain"))
      else { return }
      if gain.value == -5 { start = next }
    }
    let takeover = try #require(start)
    #expect(takeover > frame)
    #expect(try await changeTexts(session) == ["controller \(takeover) keys: entry 5 'Right'"])
    #expect(session.isUnsaved)
    #expect(await session.end() == nil)
  }

  @Test func everyEntryOfAFloodIsRecorded() async throws {
    let count = 200
    var frames: [[Int64?]] = []
    for period in Self.periods {
      let session = try await run(period: period)
      let frame = session.frame + 1_001
      session.send(
        (0..<count).map { Self.program($0 % 2 == 0 ? 9 : 0, at: frame) }, to: "keys_midi_in")
      await session.step(1_000 + (count + 1) * 64)
      let changes = try await session.journal()
      #expect(changes.first?.frame == frame)
      #expect(
        changes.map(\.text)
          == (0..<count).map { $0 % 2 == 0 ? "keys: entry 9 'Soft'" : "keys: entry 0 'Left'" })
      frames.append(changes.map(\.frame))
      #expect(await session.end() == nil)
    }
    #expect(frames[1] == frames[0] && frames[2] == frames[0])
    // Some on the frame itself, the others at block boundaries of 64 frames.
    let (first, told) = (frames[0][0], frames[0].compactMap(\.self))
    let later = told.drop { $0 == first }
    #expect(told.count == count && told == told.sorted())
    #expect(!later.isEmpty && later.allSatisfy { $0 % 64 == 0 })
  }

  /// Notices beyond the unit's capacity are dropped, the oldest first.
  @Test func ofTooManyEntriesTheLastOnesAreRecorded() async throws {
    let session = try await run(period: 2_048)
    let frame = session.frame + 1
    session.send(
      (0..<1_000).map { Self.program($0 % 2 == 0 ? 9 : 0, at: frame) }, to: "keys_midi_in")
    await session.step(96_000)
    let texts = try await session.journal().map(\.text)
    #expect(texts.count >= 256 && texts.count <= 1_000)
    #expect(texts.suffix(2) == ["keys: entry 9 'Soft'", "keys: entry 0 'Left'"])
    #expect(try await gain(session) == -1)
    #expect(await session.end() == nil)
  }
}

// Measurements of a session's units while its status is read.

import SessionTestSupport
import TestSupport
import Testing

@testable import Session
@testable import SessionModel

@Suite struct UnitMeterTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Returns the events that each unit received and sent in the last second; nil unless the status
  /// was read before.
  private func events(_ session: SteppedSession) async throws -> [Int?] {
    guard case .status(let status) = try await session.askAtOnce(.status) else { return [] }
    return (status.unitStatus ?? []).flatMap { [$0.eventsTaken, $0.eventsSent] }
  }

  @Test func theEventsOfTheLastSecondAreCounted() async throws {
    let session = try await SteppedSession(
      directory.write("[[unit]]\nid = \"keys\"\ncomponent = \"midi\"\n", to: "session.toml"))
    await session.step(4_800)
    #expect(try await events(session) == [nil, nil])
    // In the first of several pieces, and then in a later one.
    for (count, frames, sum) in [(5, 12_032, 5), (2, 12_032, 7), (0, 48_128, 0)] {
      let start = Int(session.frame)
      session.send(
        (0..<count).map { TimedMIDI(frame: start + $0, bytes: [0x90, UInt8(60 + $0), 100]) },
        to: "keys_midi_in")
      await session.step(frames)
      #expect(try await events(session) == [sum, sum])
    }
    // After a long pause between readings, measuring starts again.
    await session.step(4 * 48_128)
    #expect(try await events(session) == [nil, nil])
    #expect(await session.end() == nil)
  }

  /// Returns the peak of each output in the last second, in dBFS; nil unless the status was read
  /// before.
  private func peaks(_ session: SteppedSession) async throws -> [String: Float?] {
    guard case .status(let status) = try await session.askAtOnce(.status) else { return [:] }
    let ports = (status.unitStatus ?? []).flatMap(\.ports).filter { !$0.isMIDI && !$0.isInput }
    return Dictionary(uniqueKeysWithValues: ports.map { ($0.name, $0.peak) })
  }

  @Test func eachOutputReportsItsPeak() async throws {
    try SoundFontMaker.endless(releaseSeconds: 60).write(to: directory.file("a.sf2"))
    let session = try await SteppedSession(
      directory.write(
        """
        [[unit]]
        id = "keys"
        component = "sampler"
        soundfont = "a.sf2"
        [[unit]]
        id = "mute"
        component = "filter"
        """, to: "session.toml"))
    session.send([TimedMIDI(frame: 0, bytes: [0x90, 60, 127])], to: "keys_midi_in")
    await session.step(4_800)
    let outputs = ["keys_out_1", "keys_out_2", "mute_out_1", "mute_out_2"]
    #expect(
      try await peaks(session)
        == Dictionary(uniqueKeysWithValues: outputs.map { ($0, Float?.none) }))
    await session.step(48_128)
    let told = try await peaks(session)
    for port in outputs {
      let highest = try #require(session.audio(port).suffix(24_000).map(abs).max())
      #expect(port.hasPrefix("mute") || highest > 0)
      #expect(told[port] == UnitMeters.decibels(highest), "\(port)")
    }
    #expect(await session.end() == nil)
  }
}

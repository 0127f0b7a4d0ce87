// Levels for those who watch them.

import Configuration
import Effects
import OSC
import SessionTestSupport
import TestSupport
import Testing

@testable import Remotes
@testable import Session
@testable import SessionModel

@Suite struct MeterSessionTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// A sampler with an endless sound at the second input of a mixer, before a limiter.
  private func run(osc: SessionOSC? = nil) async throws -> SteppedSession {
    try SoundFontMaker.endless(releaseSeconds: 60).write(to: directory.file("a.sf2"))
    let session = try await SteppedSession(
      directory.write(
        """
        [[unit]]
        id = "keys"
        component = "sampler"
        soundfont = "a.sf2"
        [[unit]]
        id = "desk"
        component = "mixer"
        inputs = 2
        [[unit]]
        id = "limit"
        component = "limiter"
        parameters = { ceiling = -36, gain = 12 }
        [[connect]]
        from = "keys"
        to = "desk:2"
        [[connect]]
        from = "desk"
        to = "limit"
        """, to: "session.toml"), osc: osc)
    return session
  }

  private func readings(_ notices: SteppedSession.Notices) -> [MeterReading] {
    notices.take().compactMap { if case .meters(let reading) = $0 { reading } else { nil } }
  }

  @Test func theLevelsOfEachBusAreSentTwentyTimesASecond() async throws {
    let session = try await run()
    let all = await session.watch(meters: ["*"])
    let one = await session.watch(meters: ["limit", "keys"])
    session.send([TimedMIDI(frame: 0, bytes: [0x90, 60, 127])], to: "keys_midi_in")
    await session.step(48_128)
    #expect((18...21).contains(readings(all).count))
    #expect(readings(one).allSatisfy { $0.units.keys.sorted() == ["keys", "limit"] })
    let start = Int(session.frame)
    await session.step(4_864)
    let last = try #require(readings(all).last)
    #expect((start..<start + 4_864).contains(Int(last.frame)) && last.frames < 4_864)
    let (keys, desk, limit) = try (
      #require(last.units["keys"]), #require(last.units["desk"]), #require(last.units["limit"])
    )
    #expect(keys.inputs.isEmpty && keys.outputs.map(\.count) == [2])
    #expect(keys.outputs[0].allSatisfy { $0 > -60 })
    // An open input without a connection has no channels.
    #expect(desk.inputs == [[], keys.outputs[0]])
    #expect(limit.inputs[0] == desk.outputs[0])
    let heard = try #require(session.audio("limit_out_1").suffix(1_000).map(abs).max())
    #expect(limit.outputs[0][0] == UnitMeters.decibels(heard))
    // The sound is constant: what it loses is the reduction.
    let gain = try #require(try await session.value("limit/gain"))
    let lost = limit.inputs[0][0] + gain - limit.outputs[0][0]
    #expect(abs(try #require(limit.reduction) - lost) < 0.2 && lost > 1)
    #expect(desk.reduction == nil && keys.latency == 0 && limit.latency > 0)
    // A watch that has ended gets no more, and nobody else measures.
    all.end()
    one.end()
    _ = (all.take(), one.take())
    await session.step(48_128)
    #expect(all.take().isEmpty && one.take().isEmpty)
    #expect(await session.end() == nil)
  }

  @Test func bypassesAreSentAtFirstAndAfterEachChange() async throws {
    let session = try await run()
    let notices = await session.watch(["limit", "keys/gain"])
    func bypasses() -> [BypassReading] {
      notices.take().compactMap { if case .bypass(let reading) = $0 { reading } else { nil } }
    }
    #expect(bypasses() == [BypassReading(unit: "limit", on: false)])
    for isOn in [true, false] {
      try await session.ask(.bypass(unit: "limit", isOn: isOn))
      try await session.ask(.bypass(unit: "keys", isOn: isOn))
      #expect(bypasses() == [BypassReading(unit: "limit", on: isOn)])
    }
    #expect(await session.end() == nil)
  }

  @Test func aWatchOfAnUnknownUnitIsRefused() async throws {
    let session = try await run()
    let unknown = await session.refusal(.watch(paths: [], meters: ["desc"]))
    #expect(unknown.contains("did you mean 'desk'?"), "\(unknown)")
    #expect(await session.end() == nil)
  }

  @Test func levelsAreSentByOSC() async throws {
    let osc = try SessionOSC(
      OSCConfiguration(port: Located(0, at: .nowhere)), units: ["keys", "desk", "limit"])
    defer { osc.close() }
    let session = try await run(osc: osc)
    let sender = try OSCTestSender(to: osc.places[0])
    session.send([TimedMIDI(frame: 0, bytes: [0x90, 60, 127])], to: "keys_midi_in")
    await session.step(4_864)
    try sender.send(
      OSCMessage("/auricle/subscribe", [.string("/auricle/meters/desk"), .string("limit")]))
    var values: [String: OSCArgument] = [:]
    let found = await session.step(until: {
      while let message = sender.answerAtOnce() { values[message.address] = message.arguments[0] }
      return values["/auricle/meters/desk/out/1/2"] != nil && values["/auricle/bypass/limit"] != nil
    })
    #expect(found, "\(values)")
    #expect(values["/auricle/meters/desk/in/2/2"] == values["/auricle/meters/desk/in/2/1"])
    guard case .float(let level)? = values["/auricle/meters/desk/in/2/1"] else {
      Issue.record("\(values)")
      return
    }
    #expect(level > -60 && level < 0)
    #expect(values["/auricle/meters/desk/latency"] == .int32(0))
    #expect(values["/auricle/bypass/limit"] == .int32(0))
    #expect(values.keys.allSatisfy { !$0.hasPrefix("/auricle/meters/limit") })
    let refusal = try await sender.ask("/auricle/meters/desk")
    #expect(refusal.address == "/auricle/error", "\(refusal)")
    #expect(await session.end() == nil)
  }

  /// Only changed levels are sent in between.
  @Test func unchangedLevelsAreSentOnceASecond() throws {
    var levels = OSCLevels()
    #expect(try levels.take(reading(-6)).count == 3)
    #expect(try levels.take(reading(-6)).isEmpty)
    #expect(try levels.take(reading(-7)) == ["auricle/meters/a/out/1/1": .float(-7)])
    for _ in 3..<20 { #expect(try levels.take(reading(-7)).isEmpty) }
    #expect(try levels.take(reading(-7)).count == 3)
  }

  /// Each subscription of a subscriber has readings of its own.
  @Test func severalSubscriptionsToUnitsAreIndependent() throws {
    var levels = OSCLevels()
    for number in 0..<40 {
      for unit in ["a", "b"] {
        let count = try levels.take(reading(-6, of: unit)).count
        #expect(count == (number % 20 == 0 ? 3 : 0))
      }
    }
    // A client that adds and removes units for ever takes no more memory.
    for number in 0..<3000 {
      #expect(try levels.take(reading(-6, of: "\(number)")).count == 3)
    }
    #expect(try levels.take(reading(-6, of: "2999")).isEmpty)
  }

  private func reading(_ level: Float, of unit: String = "a") throws -> MeterReading {
    var meters = try UnitMeters(
      of: FilterUnit(), peaks: [1, 1], inputChannels: [1], outputChannels: [1], latency: 0)
    meters.outputs = [[level]]
    return MeterReading(frame: 0, frames: 1, units: [unit: meters])
  }
}

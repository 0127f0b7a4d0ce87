// Responses of units, as a session tells them.

import Effects
import SessionTestSupport
import TestSupport
import Testing
import UnitModel

@testable import Session
@testable import SessionModel

/// A unit of a program, whose gains are no numbers.
private final class OddUnit: EffectUnit, FrequencyResponding, @unchecked Sendable {
  init() throws {
    try super.init(
      componentDescription: ComponentDescription(
        type: .effect, subtype: "oddu", manufacturer: "Test"))
  }

  func magnitudes(atHertz frequencies: [Double]) -> [Double] {
    frequencies.map { $0 < 100 ? .nan : $0 < 1000 ? .infinity : 0 }
  }
}

@Suite struct ResponseTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func run(sampleRate: Double = 48_000) async throws -> SteppedSession {
    try await SteppedSession(
      directory.write(
        """
        [[unit]]
        id = "tone"
        component = "tone"
        [[unit]]
        id = "lowpass"
        component = "filter"
        parameters = { cutoff = 1000, resonance = -3.0103 }
        [[unit]]
        id = "eq"
        component = "eq"
        bands = 2
        parameters = { bands.1.frequency = 200, bands.1.gain = 6, bands.2.gain = -9, bands.2.bypass = true, gain = 2 }
        [[unit]]
        id = "comp"
        component = "compressor"
        parameters = { threshold = -20, ratio = 4, knee = 0, gain = 3 }
        """, to: "session.toml"), sampleRate: sampleRate)
  }

  private func response(
    _ session: SteppedSession, _ unit: String, at points: [Double] = []
  ) async throws -> ResponseReading {
    let answer = try await session.ask(.response(unit: unit, at: points))
    guard case .response(let response) = answer else { throw SessionCommandError("\(answer)") }
    return response
  }

  @Test func aFilterIsDownByItsResonanceAtItsCutoff() async throws {
    let session = try await run()
    let first = try await response(session, "lowpass", at: [20, 1000])
    #expect(first.kind == .frequency && first.parts == nil)
    #expect(first.at == [20, 1000] && first.decibels == [0, -3.01])
    // With the values of now.
    try await session.ask(.set(path: "lowpass/cutoff", value: .number(4000)))
    try await session.ask(.set(path: "lowpass/resonance", value: .number(12)))
    #expect(try await response(session, "lowpass", at: [4000]).decibels == [12])
    let whole = try await response(session, "lowpass")
    #expect(whole.at.count == 241 && whole.at.first == 20 && whole.at.last == 20_000)
    #expect(whole.at[80] == 200)
    #expect(await session.end() == nil)
  }

  @Test func anEqualizerTellsItsBandsToo() async throws {
    let session = try await run()
    let first = try await response(session, "eq", at: [200])
    #expect(first.decibels == [8] && first.parts?.count == 2 && first.parts?[0] == [6])
    // A bypassed band is no part of the sum.
    let frequency = Double(try #require(try await session.value("eq/bands/2/frequency")))
    #expect(try await response(session, "eq", at: [frequency]).parts?[1] == [-9])
    try await session.ask(.set(path: "eq/bands/2/bypass", value: .boolean(false)))
    let second = try await response(session, "eq", at: [frequency])
    #expect(abs(second.decibels[0] - (2 - 9)) < 0.5)
    #expect(await session.end() == nil)
  }

  @Test func aCompressorTellsItsTransferCurve() async throws {
    let session = try await run()
    let points = [-60.0, -20, -8, 0]
    let response = try await response(session, "comp", at: points)
    #expect(response.kind == .level && response.at == points)
    #expect(response.decibels == [-57, -17, -14, -12])
    let whole = try await self.response(session, "comp")
    #expect(whole.at.first == -80 && whole.at.last == 12)
    #expect(await session.end() == nil)
  }

  /// At 32 kHz nothing is above 16 kHz.
  @Test func frequenciesAboveHalfTheRateAreLeftOut() async throws {
    let session = try await run(sampleRate: 32_000)
    let response = try await response(session, "lowpass", at: [0, 16_000, 16_001])
    #expect(response.at == [0, 16_000] && response.decibels[1] < -100)
    #expect(try await self.response(session, "eq").at.last ?? 0 <= 16_000)
    #expect(await session.end() == nil)
  }

  @Test func whatIsWrongIsRefused() async throws {
    let session = try await run()
    for (command, expected) in [
      (.response(unit: "lowpas"), "did you mean 'lowpass'?"),
      (.response(unit: "tone"), "'tone' has no response; accepted: lowpass, eq, comp"),
      (.response(unit: "lowpass", at: [-1]), "accepted: 0 to 1000000 Hz"),
      (.response(unit: "lowpass", at: [.nan]), "accepted: 0 to 1000000 Hz"),
      (.response(unit: "comp", at: [0, 101]), "101; accepted: -200 to 100 dB"),
      (.response(unit: "eq", at: Array(repeating: 1, count: 1_025)), "accepted: up to 1024"),
    ] as [(SessionCommand, String)] {
      let refusal = await session.refusal(command)
      #expect(refusal.contains(expected), "\(refusal)")
    }
    #expect(await session.end() == nil)
  }

  /// JSON has neither NaN nor infinity.
  @Test func allDecibelsAreFinite() throws {
    let reading = ResponseReading(of: try OddUnit(), atHertz: [50, 500, 5000])
    #expect(reading.decibels == [-200, 200, -200] && reading.parts == nil)
  }
}

// Spectra of units for those who watch them.

import Effects
import Glibc
import SessionTestSupport
import Synchronization
import TestSupport
import Testing
import UnitModel

@testable import Session
@testable import SessionModel

@Suite struct SpectrumTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static func sine(_ frequency: Double, _ rate: Double, _ count: Int) -> ArraySlice<Float> {
    ArraySlice((0..<count).map { Float(sin(2 * Double.pi * frequency * Double($0) / rate)) })
  }

  private static func band(of frequency: Double) -> Int { Int(12 * log2(frequency / 20)) }

  /// A sine has its level, 1.5 dB less at most, in its own band or the next, and is 60 dB lower an
  /// octave away.
  @Test(arguments: [44_100.0, 48_000, 96_000, 192_000], [110.0, 1_000, 2_345.6, 15_000])
  func aSineIsSeenInItsBand(_ rate: Double, _ frequency: Double) {
    let spectrum = Spectrum(sampleRate: rate)
    #expect(spectrum.frameCount == (rate > 50_000 ? 8192 : 4096))
    let sine = Self.sine(frequency, rate, spectrum.frameCount)
    let levels = spectrum.levels(sine, sine)
    #expect(levels.count == SpectrumReading.bandCount)
    let band = Self.band(of: frequency)
    let seen = levels[max(0, band - 1)...min(119, band + 1)].max() ?? -200
    #expect((-1.5...0).contains(seen), "\(seen)")
    for (other, level) in levels.enumerated() where abs(other - band) > 12 && frequency > 500 {
      #expect(level < -60, "\(other): \(level)")
    }
    // One channel has half of the power; opposite channels are as loud as equal ones.
    let silence = ArraySlice<Float>(repeating: 0, count: sine.count)
    for (left, right, loss) in [
      (sine, silence, Float(3)), (silence, sine, 3), (sine, ArraySlice(sine.map { -$0 }), 0),
    ] {
      let other = spectrum.levels(left, right)
      #expect(abs(other[band] + loss - levels[band]) < 0.2)
    }
    #expect(spectrum.levels(silence, silence) == [Float](repeating: -200, count: 120))
  }

  @Test func whatIsBeyondHalfOfTheSampleRateIsSilent() {
    let spectrum = Spectrum(sampleRate: 8_000)
    let noise = ArraySlice((0..<spectrum.frameCount).map { _ in Float.random(in: -1...1) })
    let levels = spectrum.levels(noise, noise)
    let top = Self.band(of: 4_000)
    #expect(levels[..<top].allSatisfy { $0 > -60 } && levels[top...].allSatisfy { $0 == -200 })
    // Not even these end a session.
    for odd in [Float.nan, .infinity, .greatestFiniteMagnitude] {
      #expect(spectrum.levels(ArraySlice(noise.map { _ in odd }), noise).allSatisfy { !$0.isNaN })
    }
  }

  /// A sine of 1 kHz at −23 dBFS on both channels has −23 LUFS (EBU Tech 3341), and a pause is left
  /// out of the whole.
  @Test(arguments: [44_100.0, 96_000])
  func loudnessIsThatOfTheStandard(rate: Double) {
    let (stereo, mono) = (
      LoudnessMeter(channels: 2, sampleRate: rate), LoudnessMeter(channels: 1, sampleRate: rate)
    )
    let sine = ArraySlice(
      Self.sine(1000, rate, Int(3.2 * rate)).map { $0 * Float(pow(10, -23.0 / 20)) })
    let silence = ArraySlice<Float>(repeating: 0, count: sine.count)
    #expect(stereo.reading.integrated == -200 && stereo.reading.momentary == -200)
    for meter in [stereo, mono] {
      meter.add(sine, sine)
      let expected: Float = meter === stereo ? -23 : -26
      let reading = meter.reading
      for loudness in [reading.momentary, reading.shortTerm, reading.integrated] {
        #expect(abs(loudness - expected) < 0.15, "\(loudness)")
      }
      meter.add(silence, silence)
      #expect(meter.reading.momentary == -200)
      // The blocks at the edge of the pause count.
      #expect(abs(meter.reading.integrated - expected) < 0.5)
    }
    // Not even these spoil what follows.
    stereo.add([.nan, .infinity, -.infinity], [.nan, 0, .greatestFiniteMagnitude])
    stereo.add(sine, sine)
    #expect(abs(stereo.reading.momentary + 23) <= 0.1, "\(stereo.reading)")
    let odd = LoudnessMeter(channels: 2, sampleRate: 1)
    odd.add(sine, sine)
    #expect(odd.reading.momentary == -200)
  }

  private func run(
    period: Int, _ others: String = "", components: [Component] = []
  ) async throws -> SteppedSession {
    return try await SteppedSession(
      directory.write(
        """
        [[unit]]
        id = "hum"
        component = "tone"
        parameters = { playing = true, pitch = "Frequency", frequency = 1000, amplitude = 0.5 }
        [[unit]]
        id = "low"
        component = "filter"
        parameters = { cutoff = 100, resonance = 0 }
        [[unit]]
        id = "keys"
        component = "midi"
        [[connect]]
        from = "hum"
        to = "low"

        """ + others, to: "session.toml"), period: period, components: components)
  }

  private func readings(_ notices: SteppedSession.Notices) -> [SpectrumReading] {
    notices.take().compactMap { if case .spectra(let reading) = $0 { reading } else { nil } }
  }

  @Test(arguments: [64, 1024])
  func theSpectraOfNamedUnitsAreSentTwentyTimesASecond(period: Int) async throws {
    let session = try await run(period: period)
    let both = await session.watch(spectra: ["hum", "low"])
    let one = await session.watch(spectra: ["low"])
    await session.step(48_128)
    let found = readings(both)
    // The first looks have too few frames.
    #expect((15...20).contains(found.count), "\(found.count)")
    let last = try #require(found.last)
    let band = Self.band(of: 1000)
    let (hum, low) = try (
      #require(last.units["hum"]?.levels), #require(last.units["low"]?.levels)
    )
    #expect((-7.5 ... -6).contains(hum[band]), "\(hum[band])")
    // A low pass takes 40 dB a decade.
    #expect((-42 ... -38).contains(low[band] - hum[band]), "\(low[band])")
    #expect((0...48_128).contains(last.frame))
    // A sine of amplitude 0.5 on two channels, by the standard 3 dB above the one on a single one.
    let whole = try #require(last.units["hum"])
    #expect(abs(whole.rms + 9) < 0.3, "\(whole.rms)")
    #expect(abs(whole.loudness.momentary + 6) < 0.3, "\(whole.loudness)")
    #expect(abs(whole.loudness.integrated + 6) < 0.3, "\(whole.loudness)")
    #expect(readings(one).allSatisfy { Array($0.units.keys) == ["low"] })
    both.end()
    one.end()
    await session.step(4_864)
    _ = (both.take(), one.take())
    await session.step(9_728)
    #expect(readings(both).isEmpty && readings(one).isEmpty)
    #expect(await session.end() == nil)
  }

  /// A scope brings the spectrum too; who asks for the spectrum alone gets no frames.
  @Test func theFramesOfAScopeAreSentOnRequest() async throws {
    let session = try await run(period: 256)
    let both = await session.watch(spectra: ["low"], scopes: ["hum"])
    let other = await session.watch(spectra: ["hum"])
    await session.step(14_592)
    for one in readings(both) {
      #expect(one.units["low"]?.wave == nil)
      let wave = try #require(one.units["hum"]?.wave)
      #expect(wave.sampleRate == 48_000 && wave.left.count == 1_200 && wave.left == wave.right)
      #expect(abs(wave.peak - 0.5) < 0.01)
      // 1 kHz: a period has 48 frames.
      #expect(wave.left[12] > 970 && wave.left[36] < -970 && wave.left[1_164] > 970)
    }
    let seen = readings(other)
    #expect(seen.count > 2 && seen.allSatisfy { $0.units["hum"] != nil })
    #expect(seen.allSatisfy { $0.units["hum"]?.wave == nil })
    #expect(await session.end() == nil)
  }

  @Test func onlyWatchedUnitsRecord() async throws {
    let made = Mutex<[AudioUnit]>([])
    let component = Component(
      description: ComponentDescription(type: .effect, subtype: "seen", manufacturer: "Test"),
      name: "Seen", shortName: "seen"
    ) { description, _ in
      let unit = try FilterUnit(componentDescription: description)
      made.withLock { $0.append(unit) }
      return unit
    }
    let session = try await run(period: 256, components: [component])
    try await session.ask(.replace(unit: "low", component: "seen"))
    var isRecording: [Bool] { made.withLock { $0.map { $0.switches.audioTap != nil } } }
    await session.step(4_864)
    #expect(isRecording == [false])
    // A unit without an output has no spectrum.
    let notices = await session.watch(spectra: ["low", "keys"])
    await session.step(4_864)
    #expect(isRecording == [true])
    // A unit that replaces another is watched too.
    try await session.ask(.replace(unit: "low", component: "seen"))
    await session.step(9_728)
    #expect(isRecording == [false, true])
    _ = notices.take()
    await session.step(9_728)
    let found = readings(notices)
    #expect(!found.isEmpty && found.allSatisfy { Array($0.units.keys) == ["low"] })
    notices.end()
    await session.step(4_864)
    #expect(isRecording == [false, false])
    #expect(await session.end() == nil)
  }

  @Test func whatCannotBeWatchedIsRefused() async throws {
    let many = (1...8).map { "more\($0)" }
    let others = many.map { "[[unit]]\nid = \"\($0)\"\ncomponent = \"tone\"\n" }
    let session = try await run(period: 256, others.joined())
    let unknown = await session.refusal(.watch(paths: [], spectra: ["lov"]))
    #expect(unknown.contains("did you mean 'low'?"), "\(unknown)")
    // Each unit costs a transform.
    #expect(await session.refusal(.watch(paths: [], spectra: ["*"])).contains("'*'"))
    try await session.ask(.watch(paths: [], spectra: many))
    let more = await session.refusal(.watch(paths: [], spectra: many + ["hum"]))
    #expect(more.contains("at most 8 units"), "\(more)")
    // A scope counts, but not twice.
    try await session.ask(.watch(paths: [], spectra: many, scopes: many))
    let other = await session.refusal(.watch(paths: [], spectra: many, scopes: ["hum"]))
    #expect(other.contains("at most 8 units"), "\(other)")
    #expect(await session.refusal(.watch(paths: [], scopes: ["lov"])).contains("'low'"))
    #expect(await session.end() == nil)
  }
}

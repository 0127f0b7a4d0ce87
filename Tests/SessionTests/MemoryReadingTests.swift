// The memory use that a session reports.

import EnvironmentUnit
import Foundation
import MediaFiles
import Players
import RecorderUnit
import SamplerUnit
import SoundFontFiles
import TestSupport
import Testing
import UnitModel

@testable import Session
@testable import SessionModel

@Suite struct MemoryReadingTests {
  private let folder: TemporaryDirectory
  private let history = SessionHistory()

  init() throws { folder = try TemporaryDirectory() }

  private func reading(_ units: AudioUnit...) -> MemoryReading { MemoryReading(history, units) }

  private func font(_ name: String) throws -> URL {
    let url = folder.file(name)
    let zone = SoundFontMaker.Zone(sample: .constant())
    try SoundFontMaker(presets: [.init(name: "One", zones: [zone])]).write(to: url)
    return url
  }

  private func sampler(_ font: URL) async throws -> SamplerUnit {
    let sampler = try SamplerUnit()
    try await sampler.load(soundFont: font)
    return sampler
  }

  /// Samples are counted once, everything else for each unit.
  @Test func aSoundFontOfTwoSamplersIsCountedOnce() async throws {
    let file = try font("a.sf2")
    let (first, second) = (try await sampler(file), try await sampler(file))
    let samples = try #require(first.heldMemory.first { $0.sharedAs != nil }?.byteCount)
    let one = reading(first).soundFonts
    #expect(samples > 0 && one > samples)
    #expect(reading(first, second).soundFonts == 2 * one - samples)
    let other = try await sampler(font("b.sf2"))
    #expect(reading(first, other).soundFonts == 2 * one)
    #expect(reading(first).sounds == 0)
    #expect(reading(try SamplerUnit()).soundFonts == 0)
  }

  /// Each SoundFont of a live set is counted once, too.
  @Test func theSoundFontsOfALiveSetAreCounted() async throws {
    let (first, second) = (try font("a.sf2"), try font("b.sf2"))
    let sampler = try SamplerUnit()
    try await sampler.setLiveSet(
      LiveSet([
        LiveSetEntry(number: 0, name: "a", soundFonts: [SoundFontEntry(first)]),
        LiveSetEntry(number: 1, name: "b", soundFonts: [SoundFontEntry(second)]),
        LiveSetEntry(number: 2, name: "c", soundFonts: [SoundFontEntry(first)]),
      ]))
    let one = reading(try await self.sampler(first)).soundFonts
    #expect(reading(sampler).soundFonts == 2 * one)
  }

  private func sound(frames: Int, sampleRate: Double = 48_000) throws -> URL {
    let url = folder.file("\(frames)-\(sampleRate).wav")
    let writer = try AudioFileWriter(url: url, sampleRate: sampleRate, channelCount: 2)
    try writer.write([Signal.noise(frames: frames, seed: 1), Signal.noise(frames: frames, seed: 2)])
    try writer.finish()
    return url
  }

  @Test func soundsAreCountedBySamples() throws {
    // The sound at the host's rate, in addition to its own rate.
    let converted = try ScheduledPlayerUnit()
    try converted.schedule(contentsOf: sound(frames: 1_000, sampleRate: 24_000))
    #expect(reading(converted).sounds == 8_000 + 16_000)
    let scheduled = try ScheduledPlayerUnit()
    #expect(reading(scheduled).sounds == 0)
    try scheduled.setContent(contentsOf: sound(frames: 1_000))
    #expect(reading(scheduled).sounds == 8_000)
    // The same clip twice, and one that is streamed from the disk.
    let clip = try AudioClip(contentsOf: sound(frames: 500))
    try scheduled.schedule(clip)
    try scheduled.schedule(clip)
    #expect(reading(scheduled).sounds == 12_000)
    let streamed = try ScheduledPlayerUnit()
    try streamed.schedule(contentsOf: sound(frames: 40_000), streams: true)
    #expect(reading(streamed).sounds == 18 * 16_384 * 8)
  }

  @Test func diskBuffersAndMeasuredResponsesAreCounted() throws {
    let recorder = try RecorderUnit()
    try recorder.setTarget(folder.file("take.wav"))
    #expect(reading(recorder).sounds == 0)
    try recorder.allocateRenderResources()
    // Ten seconds, rounded up to a power of two.
    let frames = reading(recorder).sounds / 8
    #expect(frames == 1 << 19, "\(frames)")
    try recorder.deallocateRenderResources()
    let (first, second) = (try EnvironmentUnit(), try EnvironmentUnit())
    #expect(reading(first).responses == 0)
    for unit in [first, second] { try unit.allocateRenderResources() }
    let one = reading(first).responses
    #expect(one > 37 * 72 * 2 * 240 * 4 && reading(first, second).responses == one)
    for unit in [first, second] { try unit.deallocateRenderResources() }
  }

  /// Memory of removed units is reported separately.
  @Test func removedUnitsAreCountedSeparately() async throws {
    let file = try folder.write(
      """
      [[unit]]
      id = "desk"
      component = "mixer"
      [[unit]]
      id = "song"
      component = "player"
      file = "\(try sound(frames: 1_000).path)"
      """, to: "session.toml")
    let rig = DocumentRig.editable(try await DocumentRig(file).plan)
    func reading() -> MemoryReading { MemoryReading(rig.control.history, rig.running.map(\.unit)) }
    let before = reading()
    #expect(before.sounds == 8_000 && before.removedUnits == 0 && before.undo == 0)
    try await rig.ask(now: .remove(unit: "song"))
    let after = reading()
    #expect(after.sounds == 0 && after.removedUnits == 8_000 && after.undo > 0)
  }

  /// The samples are still counted for the other sampler, not for the removed one.
  @Test func aRemovedSamplerIsCountedWithoutSharedSamples() async throws {
    let font = try font("a.sf2").path
    let units = ["first", "second"].map {
      "[[unit]]\nid = \"\($0)\"\ncomponent = \"sampler\"\nsoundfont = \"\(font)\"\n"
    }
    let file = try folder.write(units.joined(), to: "session.toml")
    let rig = DocumentRig.editable(try await DocumentRig(file).plan)
    func reading() -> MemoryReading { MemoryReading(rig.control.history, rig.running.map(\.unit)) }
    let before = reading()
    try await rig.ask(now: .remove(unit: "second"))
    let after = reading()
    #expect(after.removedUnits > 0 && after.soundFonts > after.removedUnits)
    #expect(after.soundFonts + after.removedUnits == before.soundFonts)
  }
}

// The generated SoundFonts, rendered by libfluidsynth's own command.
import Foundation
import TestSupport
import Testing

@Suite struct SoundFontMakerTests {
  private let font = SoundFontMaker(presets: [
    .init(program: 0, name: "Click", zones: [.init(sample: .click())]),
    .init(program: 1, name: "Sine", zones: [.init(sample: .sine())]),
    .init(
      program: 2, name: "Split",
      zones: [
        .init(sample: .constant(), keys: 0...59), .init(sample: .sine(), keys: 72...127),
      ]),
    .init(
      bank: 128, program: 0, name: "Kit",
      zones: [
        .init(
          sample: .noise(seed: 1, isLooped: true), keys: 42...42, exclusiveClass: 1,
          tracksKey: false),
        .init(sample: .click(), keys: 46...46, exclusiveClass: 1, tracksKey: false),
      ]),
  ])

  /// Renders with the stock synth: stereo frames, split into channels.
  private func render(_ file: MIDIFileMaker, endTick: Int) async throws -> [[Float]] {
    let directory = try TemporaryDirectory()
    let fontFile = try directory.write(font.bytes(), to: "font.sf2")
    let midiFile = try directory.write(file.bytes(endTick: endTick), to: "notes.mid")
    let output = directory.file("out.raw")
    let synth = try #require(installedProgram("fluidsynth"))
    let child = try ChildProcess(
      synth,
      [
        "-ni", "-R", "0", "-C", "0", "-g", "1", "-r", "48000", "-z", "64", "-O", "float",
        "-T", "raw", "-F", output.path, fontFile.path, midiFile.path,
      ])
    #expect(try await child.wait() == .exited(0))
    #expect(!child.standardError.contains("warning") && !child.standardError.contains("error"))
    let data = try Data(contentsOf: output)
    let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    return [0, 1].map { channel in
      stride(from: channel, to: samples.count, by: 2).map { samples[$0] }
    }
  }

  private func renderNote(program: UInt8, key: UInt8) async throws -> [Float] {
    var file = MIDIFileMaker.frameExact(sampleRate: 48_000)
    file.add([0xC0, program], at: 0)
    file.addNote(key, at: 6_400, length: 9_600)
    return try await render(file, endTick: 24_000)[0]
  }

  @Test func aClickIsHeardItsOffsetAfterTheNote() async throws {
    // The constant's first frame is faded to zero; its second is the first audible one.
    let start = try #require(onset(of: try await renderNote(program: 2, key: 40))) - 1
    let click = try await renderNote(program: 0, key: 60)
    #expect(onset(of: click) == start + 64)
    let peak = try #require(click.max())
    #expect(click[start + 64] == peak && decibels(peak) > -12)
  }

  @Test func clicksKeepTheirDistance() async throws {
    var file = MIDIFileMaker.frameExact(sampleRate: 48_000)
    // The stock synth starts notes on a grid of 64 frames; these frames are multiples of it.
    file.addNote(60, at: 6_400, length: 1_000)
    file.addNote(60, at: 12_800, length: 1_000)
    let channels = try await render(file, endTick: 24_000)
    let first = try #require(onset(of: channels[0]))
    let one = Array(channels[0][first..<first + 100])
    let other = Array(channels[0][first + 6_400..<first + 6_500])
    #expect(onset(of: Array(channels[0][first + 192..<first + 6_400])) == nil)
    #expect(firstDifference(one, other) == nil)
    #expect(firstDifference(channels[0], channels[1]) == nil)
  }

  @Test func aSineIsSustainedWithoutASeamUntilItsNoteOff() async throws {
    let signal = try await renderNote(program: 1, key: 60)
    let first = try #require(onset(of: signal))
    let settled = Array(signal[first + 2_000..<first + 9_500])
    #expect(
      peakDecibels(difference: Array(settled.dropFirst(100)), Array(settled.dropLast(100))) < -100)
    #expect(peakDecibels(settled) > -15)
    // FluidSynth's shortest release takes 16 ms.
    #expect(onset(of: Array(signal[(first + 9_600 + 1_000)...])) == nil)
  }

  @Test func zonesAnswerToTheirKeysOnly() async throws {
    #expect(peakDecibels(try await renderNote(program: 2, key: 59)) > -15)
    #expect(peakDecibels(try await renderNote(program: 2, key: 65)) == -.infinity)
    #expect(peakDecibels(try await renderNote(program: 2, key: 72)) > -15)
  }

  @Test func drumsOfOneClassChokeEachOther() async throws {
    var file = MIDIFileMaker.frameExact(sampleRate: 48_000)
    file.add([0x99, 42, 127], at: 6_400)
    file.add([0x99, 46, 127], at: 12_800)
    let signal = try await render(file, endTick: 72_000)[0]
    #expect(peakDecibels(Array(signal[8_000..<12_000])) > -15)
    // FluidSynth fades a choked voice out over 0.9 s.
    #expect(onset(of: Array(signal[60_000...])) == nil)
  }

  @Test func aFontThatIsNotOneIsRefused() async throws {
    // Shows that the checks above can fail: the same steps with a broken file.
    let directory = try TemporaryDirectory()
    let bytes = Array(font.bytes().prefix(200))
    let synth = try #require(installedProgram("fluidsynth"))
    let fontFile = try directory.write(bytes, to: "font.sf2")
    let child = try ChildProcess(
      synth, ["-ni", "-F", directory.file("out.wav").path, fontFile.path])
    _ = try await child.wait()
    #expect(child.standardError.contains("error"))
  }
}

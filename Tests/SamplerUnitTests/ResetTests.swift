// Messages that end all sound do so at once, however long the release.

import Foundation
import SamplerUnit
import TestSupport
import Testing
import UnitHost
import UnitModel

@Suite struct ResetTests {
  /// Keys are held, so that the MIDI chain has pending note-offs when it is reset.
  @Test(arguments: [0, 30, 63])
  func aResetEndsHeldNotesWithLongReleases(offset: Int) async throws {
    let directory = try TemporaryDirectory()
    let url = directory.file("long.sf2")
    let zone = SoundFontMaker.Zone(sample: .sine(), releaseSeconds: 60)
    try SoundFontMaker(presets: [.init(name: "Long", zones: [zone])]).write(to: url)
    let unit = try SamplerUnit()
    try await unit.load(soundFont: url)
    try unit.allocateRenderResources()
    let host = try DirectHost(unit)
    func render(_ midi: [DirectHost.MIDI] = []) throws -> Float {
      let samples = try host.render(512, midi: midi)[0][0]
      return samples.map(abs).max() ?? 0
    }
    for _ in 0..<2 {
      let notes = [60, 64, 67].map { DirectHost.MIDI(offset: offset, [0x90, $0, 127]) }
      #expect(try render(notes + [DirectHost.MIDI(offset: 100, [0xB0, 64, 127])]) > 0.01)
      unit.reset()
      let first = try render()
      let second = try render()
      #expect(first == 0 && second == 0)
    }
  }

  /// A plain FluidSynth lets the notes ring out.
  @Test(
    arguments: [[0x80, 60, 0], [0xB0, 123, 0], [0xB0, 64, 0], [0xB0, 121, 0], [0xB0, 126, 1]]
      as [[UInt8]], [SamplerOutputLayout.stereo, .channels])
  func allSoundOffIsFinalBeforeAnyNextMessage(
    next: [UInt8], layout: SamplerOutputLayout
  ) async throws {
    let zone = SoundFontMaker.Zone(sample: .sine(), releaseSeconds: 60)
    let font = SoundFontMaker(presets: [.init(name: "Long", zones: [zone])])
    let rig = try await SamplerRig.playing(font: font, outputs: layout)
    var held: [(Int, [UInt8])] = [(0, [0x90, 60, 127]), (3, [0x90, 64, 127])]
    // If the message releases the pedal, the pedal holds the notes.
    if next[1] == 64 || next[1] == 121 {
      held += [(4, [0xB0, 64, 127]), (5, [0x80, 60, 0]), (5, [0x80, 64, 0])]
    }
    #expect(try rig.renderBusses(1_024, held)[0].last != 0)
    let end = try rig.renderBusses(1_024, [(10, [0xB0, 120, 0]), (11, next)])
    #expect(end.allSatisfy { side in side[192...].allSatisfy { $0 == 0 } })
    // It does not end later notes on its frame either.
    let note = [(10, [0xB0, 120, 0]), (10, [0x90, 60, 127])] as [(Int, [UInt8])]
    #expect(try rig.renderBusses(4_096, note)[0].suffix(64).contains { abs($0) > 0.001 })
  }
}

// A reset ends what sounds, however long it would ring.

import Foundation
import SamplerUnit
import TestSupport
import Testing
import UnitModel

@Suite struct ResetTests {
  /// Keys are held, so that the MIDI chain owes their note-offs when it is reset.
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
}

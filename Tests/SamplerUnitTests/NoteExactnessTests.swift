// Equal notes sound equal, including the first and the shortest ones.

import TestSupport
import Testing

@testable import SamplerUnit

@Suite struct NoteExactnessTests {
  /// A constant in the middle: its envelope rises over the first block, and stays.
  private var font: SoundFontMaker {
    SoundFontMaker(presets: [
      SoundFontMaker.Preset(
        name: "Middle", zones: [SoundFontMaker.Zone(sample: .constant(), tracksKey: false)])
    ])
  }

  @Test func aFirstNoteSoundsLikeEveryLaterOne() async throws {
    let rig = try await SamplerRig.playing(font: font)
    func note() throws -> [Float] {
      let output = try rig.render(4096, [(100, [0x90, 60, 100])]).left
      _ = try rig.render(4096, [(0, [0xB0, 120, 0])])
      return output
    }
    let first = try note()
    #expect(first[163] > 0.01 && first[99] == 0)
    #expect(firstDifference(first, try note()) == nil)
    // The same holds on synths that were never used, with another program, and after other synths
    // took over.
    let chord: [(Int, [UInt8])] = (0..<30).map { ($0 * 100, [0x90, 30 + UInt8($0), 100]) }
    for _ in 0..<2 {
      let output = try rig.render(8192, chord).left
      for (frame, _) in chord {
        for offset in [10, 40, 63] {
          let rise = output[frame + offset] - (frame > 0 ? output[frame - 1] : 0)
          #expect(abs(rise - first[100 + offset]) < 1e-5, "frame \(frame)")
        }
      }
      _ = try rig.render(4096, [(0, [0xB0, 120, 0])])
    }
    try await rig.unit.load(soundFont: rig.font)
    #expect(firstDifference(first, try note()) == nil)
    rig["polyphony"] = 100
    #expect(firstDifference(first, try note()) == nil)
  }

  @Test(arguments: [16, 64, 1000])
  func aNoteWhoseEndIsOnItsOwnFrameSoundsTenMilliseconds(period: Int) async throws {
    for length in [0, 48, 300] {
      let rig = try await SamplerRig.playing(font: font)
      let midi: [(Int, [UInt8])] = [(77, [0x90, 60, 100]), (77 + length, [0x80, 60, 0])]
      let output = try rig.render(6000, midi, period: period).left
      let level = output[77 + 200]
      #expect(output[76] == 0 && level > 0.01)
      #expect(output[77 + 480] == level)
      // From the next block on it ends as fast as FluidSynth allows.
      #expect(output[77 + 640] < level && output.last! == 0)
    }
  }

  @Test func theLeastLengthIsAParameter() async throws {
    let rig = try await SamplerRig.playing(font: font)
    for (milliseconds, held) in [(0, 0), (30, 1440), (10, 480)] {
      rig["minimumNoteLength"] = Float(milliseconds)
      _ = try rig.render(256)
      let output = try rig.render(8192, [(0, [0x90, 60, 100]), (0, [0x80, 60, 0])]).left
      #expect(held == 0 || output[held - 1] > 0.01, "\(milliseconds)")
      #expect(held == 0 || output[held - 1] == output[100], "\(milliseconds)")
      #expect(output[held + 192] < 0.01, "\(milliseconds)")
    }
  }

  /// A voice glides to the pan of its note from that of the note before it. A voice that has not
  /// played yet glides from the middle.
  @Test func aFirstNoteFromTheSideDiffersFromLaterOnesInItsFirstBlockAlone() async throws {
    let sides = SoundFontMaker(presets: [
      .init(
        name: "Sides",
        zones: [-50.0, 50].map {
          .init(
            sample: .sine(periodFrames: $0 < 0 ? 20 : 30), panPercent: $0, tracksKey: false)
        })
    ])
    let rig = try await SamplerRig.playing(font: sides)
    func note() throws -> [Float] {
      let output = try rig.render(4096, [(0, [0x90, 60, 127])]).left
      _ = try rig.render(4096, [(0, [0xB0, 120, 0])])
      return output
    }
    let (first, second, third) = (try note(), try note(), try note())
    #expect(firstDifference(second, third) == nil)
    #expect(firstDifference(Array(first[64...]), Array(second[64...])) == nil)
    let peak = second.map(abs).max()!
    let difference = zip(first, second).map { abs($0 - $1) }.max()! / peak
    // The range stated in the documents.
    #expect(difference > 0.02 && difference < 0.25)
  }
}

// The sampler's output layouts: contents of the busses, and storage of the layout.

import TestSupport
import Testing
import UnitModel

@testable import SamplerUnit

@Suite struct OutputLayoutTests {
  @Test func bussesAreNamed() throws {
    func names(_ layout: SamplerOutputLayout) throws -> [String] {
      try SamplerUnit(outputs: layout).outputBusses.map(\.name)
    }
    #expect(try names(.stereo) == ["Output"])
    #expect(try names(.dryAndEffects) == ["Dry", "Reverb", "Chorus"])
    let channels = try names(.channels)
    #expect(channels.count == 17)
    #expect(channels[0] == "Channel 1" && channels[15] == "Channel 16")
    #expect(channels[16] == "Effects")
  }

  @Test func eachChannelHasItsBusAndTheSumIsTheStereoSound() async throws {
    let midi = randomPiece(seed: 5, frames: 30_000, grid: 1)
    let stereo = try await SamplerRig.playing(font: .ensemble)
    let all = try await SamplerRig.playing(font: .ensemble, outputs: .channels)
    let (together, apart) = try (stereo.render(30_000, midi), all.renderBusses(30_000, midi))
    for side in 0..<2 {
      var sum = Signal.silence(frames: 30_000)
      for bus in 0..<17 {
        for frame in sum.indices { sum[frame] += apart[2 * bus + side][frame] }
      }
      let expected = side == 0 ? together.left : together.right
      #expect(peakDecibels(difference: sum, expected) < -120)
    }
    for bus in 0..<17 {
      // The piece uses channels 1 to 4 and 10.
      let isUsed = bus < 4 || bus == 9
      #expect(apart[2 * bus].contains { $0 != 0 } == isUsed, "bus \(bus)")
    }
  }

  @Test func effectsReturnOnTheirOwnBusses() async throws {
    for (layout, reverb, chorus) in [
      (SamplerOutputLayout.stereo, 0, 0), (.channels, 16, 16), (.dryAndEffects, 1, 2),
    ] {
      for effect in ["reverb", "chorus"] {
        let rig = try await SamplerRig.playing(program: 3, font: .sending, outputs: layout)
        rig[effect + ".on"] = 1
        _ = try rig.renderBusses(9600, [(0, [0x90, 60, 127]), (2000, [0x80, 60, 0])])
        // The voice has ended; the effect still sounds.
        let (place, other) = effect == "reverb" ? (reverb, chorus) : (chorus, reverb)
        let again = try rig.renderBusses(200, [(0, [0x90, 60, 127])])
        #expect(again[2 * place].contains { $0 != 0 }, "\(layout) \(effect)")
        if other != place { #expect(!again[2 * other].contains { $0 != 0 }) }
      }
    }
  }

  @Test func gainAndBypassHoldForEveryBus() async throws {
    let rig = try await SamplerRig.playing(program: 3, font: .sending, outputs: .dryAndEffects)
    rig["reverb.on"] = 1
    _ = try rig.renderBusses(48_000, [(0, [0x90, 60, 127])])
    let before = try rig.renderBusses(9600)
    rig["gain"] = -20
    _ = try rig.renderBusses(1920)
    let after = try rig.renderBusses(9600)
    for side in [0, 2] {
      let change = rootMeanSquareDecibels(after[side]) - rootMeanSquareDecibels(before[side])
      #expect(abs(change + 20) < 0.1, "output \(side)")
    }
    rig.unit.shouldBypassEffect = true
    _ = try rig.renderBusses(960)
    for output in try rig.renderBusses(64) { #expect(output == Signal.silence(frames: 64)) }
  }

  @Test func documentsKnowTheOutputsAndPresetsFitAll() throws {
    let unit = try SamplerUnit(outputs: .channels)
    let document = unit.fullStateForDocument
    let other = try SamplerUnit(outputs: .channels)
    other.parameterTree.parameter(keyPath: "reverb.on")!.value = 1
    try other.setFullStateForDocument(document)
    #expect(other.fullStateForDocument == document)
    #expect(throws: StateError.self) { try SamplerUnit().setFullStateForDocument(document) }
    try SamplerUnit().setFullState(unit.fullState)
    try SamplerUnit(outputs: .dryAndEffects).setFullStateForDocument(
      SamplerUnit().fullStateForDocument)
  }

  @Test func bussesOfDifferentRatesAreRefused() throws {
    let unit = try SamplerUnit(outputs: .dryAndEffects)
    try unit.outputBusses[2].setFormat(AudioFormat(sampleRate: 44_100, channelCount: 2))
    #expect(throws: AudioUnitError.self) { try unit.allocateRenderResources() }
  }
}

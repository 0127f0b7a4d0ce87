// State of a sampler: all that determines its sound, saved and restored.

import Foundation
import TestSupport
import Testing
import UnitModel

@testable import SamplerUnit

@Suite struct SamplerStateTests {
  @Test func aStateBringsBackTheSoundFontAndEveryParameter() async throws {
    let rig = try SamplerRig([.transpose])
    try await rig.unit.load(soundFont: rig.font, bank: 1, program: 0)
    for parameter in rig.unit.parameterTree.allParameters {
      parameter.value = (parameter.range.upperBound + parameter.range.lowerBound) / 2 + 1
    }
    let state = rig.unit.fullState
    let other = try SamplerUnit(midiStages: [.transpose])
    try other.setFullState(state)
    #expect(other.soundFont?.path == rig.font.path)
    #expect(other.soundFontProgram! == (1, 0))
    #expect(other.allParameterValues == rig.unit.allParameterValues)
    #expect(other.fullState == state)
    #expect(other.fullStateForDocument == rig.unit.fullStateForDocument)
  }

  @Test func aDocumentRestoresTheChannelSetupAndAPresetDoesNot() throws {
    let setup = SamplerChannelSetup(drumChannels: [3, 10], bankSelect: .mma)
    let unit = try SamplerUnit(channels: setup)
    let other = try SamplerUnit()
    try other.setFullState(unit.fullState)
    #expect(other.channelSetup == SamplerChannelSetup())
    try other.setFullStateForDocument(unit.fullStateForDocument)
    #expect(other.channelSetup == setup)
    #expect(other.fullStateForDocument == unit.fullStateForDocument)
  }

  @Test func aStateWithoutSoundFontSilences() async throws {
    let rig = try await SamplerRig.playing(program: 1)
    let empty = try SamplerUnit().fullState
    _ = try rig.play([0x90, 60, 127])
    try rig.unit.setFullState(empty)
    #expect(rig.unit.soundFont == nil)
    #expect(try rig.render(4096).left.min()! > 0.05)  // what was held goes on
    _ = try rig.play([0x80, 60, 0], [0x90, 62, 127], [0xC0, 3], frames: 8192)
    #expect(try rig.render(64).left == Signal.silence(frames: 64))
    #expect(rig.unit.tailTime == 0)
  }

  @Test func aStateWhoseSoundFontIsGoneIsRefusedWhole() async throws {
    let rig = try await SamplerRig.playing(program: 1)
    rig["gain"] = -3
    var state = rig.unit.fullState
    rig["gain"] = 2
    state[StateKey.settings] = ["soundFont": "/nowhere/none.sf2", "bank": 0, "program": 0]
    #expect(throws: StateError.self) { try rig.unit.setFullState(state) }
    #expect(rig["gain"] == 2)
    #expect(rig.unit.soundFont == rig.font)
  }

  @Test(
    arguments: [
      ["soundFont": 3], ["soundFont": "relative.sf2"], ["bank": 256], ["bank": -1],
      ["program": 128], ["program": "1"], ["program": 1.5], ["bunk": 1],
      ["soundFonts": "/a.sf2"], ["soundFonts": ["/a.sf2"]], ["soundFonts": [["file": "a.sf2"]]],
      ["soundFonts": [["file": "/a.sf2", "bankOffset": 128]]], ["soundFonts": [["bankOffset": 1]]],
      ["soundFonts": [["file": "/a.sf2", "bank": 1]]], ["soundFonts": [], "soundFont": "/a.sf2"],
      ["drumChannels": 10], ["drumChannels": [0]], ["drumChannels": ["10"]], ["bankSelect": "GS"],
      ["bankSelect": 1],
    ] as [StateDictionary])
  func settingsOfAnotherKindAreRefused(settings: StateDictionary) throws {
    let unit = try SamplerUnit()
    var state = unit.fullState
    state[StateKey.settings] = .dictionary(settings)
    #expect(throws: StateError.self) { try unit.setFullState(state) }
  }

  @Test func addressesAndKeyPathsStay() throws {
    let unit = try SamplerUnit(midiStages: [.filter])
    let own = unit.parameterTree.allParameters.prefix(20).map { "\($0.address) \($0.keyPath)" }
    #expect(
      own == [
        "0 gain", "1 pan", "2 transpose", "3 tuning", "4 polyphony", "5 interpolation", "6 synths",
        "7 reverb.on", "8 reverb.roomSize", "9 reverb.damping", "10 reverb.width",
        "11 reverb.level", "12 chorus.on", "13 chorus.voices", "14 chorus.level",
        "15 chorus.speed", "16 chorus.depth", "17 chorus.type", "18 minimumNoteLength",
        "\(0x4D01_0000) midi.filter.channels.1",
      ])
    #expect(unit.componentDescription.codes == "aumu/smpl/Aurc")
  }
}

// Changes of the MIDI stages of a playing sampler.

import TestSupport
import Testing
import UnitModel

@testable import SamplerUnit

@Suite struct MIDIStageEditTests {
  @Test func aHeldNoteContinuesAndEndsAcrossEditsOfStages() async throws {
    let rig = try await SamplerRig.playing([.transpose])
    rig["midi.transpose.semitones"] = 12
    rig["gain"] = -6
    #expect(abs(cents(try rig.play([0x90, 60, 127]), above: 2 * Pitch.sine)) < 1)
    try rig.unit.setMIDIStages([.arpeggiator, .transpose])
    #expect(abs(cents(try rig.play(), above: 2 * Pitch.sine)) < 1)
    _ = try rig.play([0x80, 60, 0], frames: 8192)
    #expect(try rig.render(64).left == Signal.silence(frames: 64))
    #expect(rig["gain"] == -6 && rig["midi.transpose.semitones"] == 12)

    // A latched arpeggio of the second chain ends with its key, once a third chain has taken over.
    rig["midi.arpeggiator.latch"] = 1
    _ = try rig.play([0x90, 48, 127])
    try rig.unit.setMIDIStages([])
    #expect(rig.unit.parameterTree.node(keyPath: "midi") == nil)
    #expect(peakDecibels(try rig.play(frames: 24_000)) > -60)
    _ = try rig.play([0x80, 48, 0], frames: 8192)
    #expect(try rig.render(48_000).left == Signal.silence(frames: 48_000))
    #expect(abs(cents(try rig.play([0x90, 60, 127]), above: Pitch.sine)) < 1)
    rig["gain"] = -60
    #expect(try rig.render(8192).left.suffix(64) == Signal.silence(frames: 64)[...])
  }

  @Test func stagesThatAreAddedWhilePlayingMoveParametersOfTheSampler() async throws {
    let rig = try await SamplerRig.playing()
    _ = try rig.play()
    try rig.unit.setMIDIStages([.controller])
    for (name, value) in ["source": 1, "target": 5, "parameter": 2] as [String: Float] {
      rig["midi.controller.\(name)"] = value
    }
    _ = try rig.play([0xB0, 1, 127])
    #expect(rig["transpose"] == 24)
    #expect(rig["midi.controller.source"] == 1)
  }
}

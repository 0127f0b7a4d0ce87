// The MIDI effect in a host: events on their frame, settings that read back, no audio.

import MIDIEffectUnit
import TestSupport
import Testing
import UnitHost
import UnitModel

@Suite struct MIDIEffectUnitTests {
  typealias MIDI = DirectHost.MIDI

  private func host(_ unit: MIDIEffectUnit) throws -> DirectHost {
    try unit.allocateRenderResources()
    return try DirectHost(unit)
  }

  @Test func isAMIDIProcessorWithoutAudio() throws {
    let unit = try MIDIEffectUnit()
    #expect(unit.componentDescription.codes == "aumi/mchn/Aurc")
    #expect(unit.inputBusses.count == 0 && unit.outputBusses.count == 0)
    #expect(unit.virtualMIDICableCount == 1 && unit.midiOutputNames.count == 1)
    #expect(unit.parameterTree.allParameters.isEmpty)
  }

  @Test func withoutStagesEveryKindOfMessagePassesOnItsFrameAndInItsOrder() throws {
    var random = SeededRandom(seed: 1)
    let host = try host(MIDIEffectUnit())
    let messages: [MIDI] = (0..<200).map { index in
      let data = random.bytes(2).map { $0 & 0x7F }
      let bytes: [UInt8] =
        switch index % 6 {
        case 0: [0x90 | UInt8(index & 15)] + data
        case 1: [0xB0] + data
        case 2: [0xC5, data[0]]
        case 3: [0xF8]
        case 4: [0xE1] + data
        default: [0xF0] + random.bytes(index).map { $0 & 0x7F } + [0xF7]
        }
      return MIDI(offset: index / 2, bytes)
    }
    #expect(try host.render(100, midi: messages) == [])
    #expect(host.midiOutput == messages)
    #expect(try host.render(100) == [])
    #expect(host.midiOutput == [])
  }

  @Test func stagesChangeMessagesAndFollowTheirParametersOnTheFrame() throws {
    let unit = try MIDIEffectUnit(midiStages: [.transpose, .channel])
    let semitones = unit.parameterTree.parameter(keyPath: "midi.transpose.semitones")!
    semitones.value = 2
    unit.parameterTree.parameter(keyPath: "midi.channel.map.1")!.value = 5
    let host = try host(unit)
    try unit.scheduleParameter(semitones.address, value: 12, at: .frame(40))
    _ = try host.render(
      64,
      midi: [
        MIDI(offset: 3, [0x90, 60, 1]), MIDI(offset: 39, [0x90, 61, 1]),
        MIDI(offset: 41, [0x90, 62, 1]), MIDI(offset: 50, [0x80, 60, 1]),
      ])
    #expect(
      host.midiOutput == [
        MIDI(offset: 3, [0x94, 62, 1]), MIDI(offset: 39, [0x94, 63, 1]),
        MIDI(offset: 41, [0x94, 74, 1]), MIDI(offset: 50, [0x84, 62, 1]),
      ])
    #expect(semitones.value == 12)
  }

  @Test func aControlMovesAStageBehindItAndItsValueReadsBack() throws {
    let unit = try MIDIEffectUnit(midiStages: [.controller, .transpose])
    let semitones = unit.parameterTree.parameter(keyPath: "midi.transpose.semitones")!
    for (name, value) in ["source": 1, "target": 5, "parameter": 0x2_0010] as [String: Float] {
      unit.parameterTree.parameter(keyPath: "midi.controller.\(name)")!.value = value
    }
    let host = try host(unit)
    _ = try host.render(
      64,
      midi: [
        MIDI(offset: 9, [0x90, 1, 1]), MIDI(offset: 9, [0xB0, 1, 127]),
        MIDI(offset: 9, [0x91, 0, 1]),
      ])
    #expect(host.midiOutput == [MIDI(offset: 9, [0x90, 1, 1]), MIDI(offset: 9, [0x91, 127, 1])])
    #expect(semitones.value == 127)
  }

  @Test func aBypassedUnitPassesMessagesAndEndsItsNotes() throws {
    let unit = try MIDIEffectUnit(midiStages: [.transpose])
    unit.parameterTree.parameter(keyPath: "midi.transpose.semitones")!.value = 12
    let host = try host(unit)
    _ = try host.render(64, midi: [MIDI([0x90, 60, 1])])
    unit.shouldBypassEffect = true
    _ = try host.render(64, midi: [MIDI([0x90, 61, 1]), MIDI([0x80, 60, 1])])
    #expect(host.midiOutput == [MIDI([0x90, 61, 1]), MIDI([0x80, 72, 1])])
    unit.shouldBypassEffect = false
    _ = try host.render(64, midi: [MIDI([0x80, 61, 1]), MIDI([0x90, 61, 1])])
    #expect(host.midiOutput == [MIDI([0x80, 61, 1]), MIDI([0x90, 73, 1])])
  }

  @Test func aCycleFullOfEventsLeavesWhole() throws {
    let unit = try MIDIEffectUnit()
    let host = try host(unit)
    for index in 0..<1000 { try unit.scheduleMIDI([0x91, UInt8(index & 127), 1], at: .frame(0)) }
    let port = (0..<4096).map { MIDI(offset: 1, [0x90, UInt8($0 & 127), 1]) }
    _ = try host.render(64, midi: port)
    #expect(host.midiOutput.count == 5096)
    #expect(unit.switches.value(of: .droppedEvents) == 0)
  }

  @Test func aResetEndsStartedNotesAndForgetsHeldKeys() throws {
    let unit = try MIDIEffectUnit(midiStages: [.transpose])
    let host = try host(unit)
    _ = try host.render(64, midi: [MIDI([0x90, 60, 1])])
    unit.reset()
    _ = try host.render(64, midi: [MIDI([0x80, 60, 1])])
    #expect(host.midiOutput == [MIDI([0x80, 60, 64])])
    _ = try host.render(64, midi: [MIDI([0x80, 60, 1])])
    #expect(host.midiOutput == [])
  }

  @Test func hasTheRateOfItsGraph() throws {
    let unit = try MIDIEffectUnit()
    #expect(unit.sampleRate == 48_000)
    try unit.setSampleRate(96_000)
    #expect(unit.sampleRate == 96_000)
    #expect(throws: AudioUnitError.sampleRateOutOfRange(9)) { try unit.setSampleRate(9) }
    try unit.allocateRenderResources()
    #expect(throws: AudioUnitError.renderResourcesAllocated) { try unit.setSampleRate(48_000) }
  }
}

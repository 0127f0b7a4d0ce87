// A MIDI effect inside a graph: exact to the frame at any period.

import Graph
import MIDIEffectUnit
import OfflineBackend
import Realtime
import TestSupport
import Testing

/// The renderers' type: `TestSupport` has another type of this name.
private typealias TimedMIDI = OfflineBackend.TimedMIDI

@Suite struct MIDIEffectGraphTests {
  @Test(arguments: [16, 64, 100, 1024, 8192])
  func messagesReachTheNextEffectOnTheSameFrame(period: Int) throws {
    let graph = Graph()
    let units = try (0..<3).map { _ in try MIDIEffectUnit(midiStages: [.transpose]) }
    for (index, unit) in units.enumerated() {
      unit.parameterTree.parameter(keyPath: "midi.transpose.semitones")!.value = 1
      try graph.add(unit, id: "effect\(index)")
    }
    try graph.connectMIDI(from: 0, to: 1)
    try graph.connectMIDI(from: 1, to: 2)
    let compiled = try graph.compile(
      CompileOptions(sampleRate: 96_000, maximumFrames: 256, isOffline: true))
    #expect(units[0].sampleRate == 96_000)
    #expect(compiled.ports.midiInputs.map(\.name) == ["effect0_midi_in"])
    #expect(compiled.ports.midiOutputs.map(\.name) == ["effect2_midi_out"])
    var random = SeededRandom(seed: UInt64(period))
    let midi = (0..<400).map { index -> TimedMIDI in
      let key = UInt8.random(in: 0..<100, using: &random)
      return TimedMIDI(
        frame: FrameTime(index * 50 + Int.random(in: 0..<50, using: &random)),
        bytes: index % 5 == 0 ? [0xF0, key, 2, 3, 0xF7] : [0x90, key, 1])
    }
    let renderer = OfflineRenderer(compiled)
    var output: [TimedMIDI] = []
    while renderer.frame < 20_000 {
      let end = renderer.frame + FrameTime(period)
      _ = renderer.render(
        frameCount: period,
        midi: [midi.filter { $0.frame >= end - FrameTime(period) && $0.frame < end }])
      output += renderer.midiOutput(ofUnit: 2)
    }
    let expected = midi.map {
      $0.bytes[0] == 0x90
        ? TimedMIDI(frame: $0.frame, bytes: [0x90, $0.bytes[1] + 3, 1]) : $0
    }
    #expect(output == expected)
  }
}

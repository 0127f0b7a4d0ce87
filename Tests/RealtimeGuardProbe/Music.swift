// A graph that uses all functions of the units, for a guard to watch.

import Effects
import Foundation
import Graph
import MIDIEffectUnit
import MIDIStages
import SamplerUnit
import UnitModel

/// A MIDI effect with all stages, then a sampler with its effects, then a filter.
struct Music {
  private let effect: MIDIEffectUnit
  private let sampler: SamplerUnit
  private let filter: FilterUnit

  init(font: String, _ graph: Graph) async throws {
    effect = try MIDIEffectUnit(midiStages: MIDIStageKind.allCases)
    sampler = try SamplerUnit()
    filter = try FilterUnit()
    try await sampler.load(soundFont: URL(fileURLWithPath: font))
    for parameter in ["reverb.on", "chorus.on"] {
      try sampler.parameterTree.parameter(keyPath: parameter)!.setValue(1)
    }
    let numbers = try (
      graph.add(effect, id: "effect"), graph.add(sampler, id: "sampler"),
      graph.add(filter, id: "filter")
    )
    try graph.connectMIDI(from: numbers.0, to: numbers.1)
    try graph.connect(
      GraphBus(unit: numbers.1, bus: 0), to: GraphBus(unit: numbers.2, bus: 0))
  }

  /// Sends messages of every kind in quick succession.
  func play() throws {
    var word: UInt32 = 1
    func next() -> UInt8 {
      word = word &* 1_664_525 &+ 1_013_904_223
      return UInt8(truncatingIfNeeded: word >> 25)
    }
    for turn in 0..<400 {
      let channel = next() & 15
      for unit: AudioUnit in [effect, sampler] {
        for _ in 0..<8 { try unit.scheduleMIDI([0x90 | channel, next(), next()]) }
        switch turn % 8 {
        case 0: try unit.scheduleMIDI([0xC0 | channel, next()])
        case 1: try unit.scheduleMIDI([0xB0 | channel, next(), next()])
        case 2: try unit.scheduleMIDI([0xE0 | channel, next(), next()])
        case 3: try unit.scheduleMIDI([0xD0 | channel, next()])
        case 4: try unit.scheduleMIDI([0xA0 | channel, next(), next()])
        case 5: try unit.scheduleMIDI([0xF0, 0x7E, 0x7F, 9, 1, 0xF7])
        case 6 where turn % 64 == 6: try unit.scheduleMIDI([0xFF])
        default: for _ in 0..<4 { try unit.scheduleMIDI([0x80 | channel, next(), 64]) }
        }
      }
      for parameter in filter.parameterTree.allParameters where parameter.flags.contains(.writable)
      {
        try filter.scheduleParameter(parameter.address, value: parameter.range.upperBound)
      }
      usleep(5000)
    }
  }
}

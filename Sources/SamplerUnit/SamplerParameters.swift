// The sampler's parameters.

import MIDIKernel
import MIDIKernelModel
import UnitModel

/// Describes the parameters. Addresses are 0 to 6 for the sampler's own, and those of
/// `MIDIChainLayout` for its MIDI chain.
enum SamplerParameters {
  static func tree(_ layout: MIDIChainLayout) throws(ParameterTreeError) -> ParameterTree {
    let own = [
      Parameter(
        identifier: "gain", name: "Gain", address: 0, range: -60...24, defaultValue: 0,
        unit: .decibels, flags: [.readable, .writable, .canRamp, .highResolution]),
      Parameter(
        identifier: "pan", name: "Pan", address: 1, range: 0...127, defaultValue: 64,
        unit: .midiController),
      Parameter(
        identifier: "transpose", name: "Transpose", address: 2, range: -24...24, defaultValue: 0,
        unit: .relativeSemitones),
      Parameter(
        identifier: "tuning", name: "Tuning", address: 3, range: 400...480, defaultValue: 440,
        unit: .hertz, flags: [.readable, .writable, .highResolution]),
      Parameter(
        identifier: "polyphony", name: "Polyphony", address: 4,
        range: 1...Float(Synth.maximumPolyphony), defaultValue: 256, unitName: "voices",
        flags: [.readable, .writable, .expertMode, .nonRealTime]),
      Parameter(
        identifier: "interpolation", name: "Interpolation", address: 5, range: 0...3,
        defaultValue: 2, unit: .indexed, flags: [.readable, .writable, .expertMode],
        valueStrings: ["None", "Linear", "4th Order", "7th Order"]),
      Parameter(
        identifier: "synths", name: "Synths", address: 6,
        range: 1...Float(SynthPool.maximumCount), defaultValue: 64, unitName: "synths",
        flags: [.readable, .writable, .expertMode, .nonRealTime]),
    ]
    return try ParameterTree(
      children: layout.stages.isEmpty ? own : own + [layout.parameterGroup()])
  }
}

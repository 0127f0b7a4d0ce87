// The sampler's parameters.

import FluidSynthPool
import MIDIStages
import MIDIStagesModel
import UnitModel

/// Describes the parameters. Addresses are 0 to 18 for the sampler's own, and those of
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
        unit: .relativeSemitones, isWhole: true),
      Parameter(
        identifier: "tuning", name: "Tuning", address: 3, range: 400...480, defaultValue: 440,
        unit: .hertz, flags: [.readable, .writable, .highResolution]),
      Parameter(
        identifier: "polyphony", name: "Polyphony", address: 4,
        range: 1...Float(SynthPool.maximumPolyphony), defaultValue: 256, unitName: "voices",
        flags: [.readable, .writable, .nonRealTime], isWhole: true),
      Parameter(
        identifier: "interpolation", name: "Interpolation", address: 5, range: 0...3,
        defaultValue: 2, unit: .indexed, flags: [.readable, .writable],
        valueStrings: ["None", "Linear", "4th Order", "7th Order"]),
      Parameter(
        identifier: "synths", name: "Synths", address: 6,
        range: 1...Float(SynthPool.maximumCount), defaultValue: 64, unitName: "synths",
        flags: [.readable, .writable, .nonRealTime], isWhole: true),
    ]
    let last = Parameter(
      identifier: "minimumNoteLength", name: "Minimum Note Length", address: 18, range: 0...1_000,
      defaultValue: 10, unit: .milliseconds,
      flags: [.readable, .writable, .nonRealTime])
    let all = own + [reverb, chorus, last] as [ParameterNode]
    return try ParameterTree(
      children: layout.stages.isEmpty ? all : all + [layout.parameterGroup()])
  }

  private static let moving: ParameterFlags = [.readable, .writable, .highResolution]

  /// FluidSynth's parameters, ranges and defaults, as for the chorus.
  private static var reverb: ParameterGroup {
    ParameterGroup(
      identifier: "reverb", name: "Reverb",
      children: [
        Parameter(
          identifier: "on", name: "On", address: 7, range: 0...1, defaultValue: 0, unit: .boolean,
          flags: [.readable, .writable, .nonRealTime]),
        Parameter(
          identifier: "roomSize", name: "Room Size", address: 8, range: 0...1, defaultValue: 0.2,
          unit: .generic, flags: moving),
        Parameter(
          identifier: "damping", name: "Damping", address: 9, range: 0...1, defaultValue: 0,
          unit: .generic, flags: moving),
        Parameter(
          identifier: "width", name: "Width", address: 10, range: 0...100, defaultValue: 0.5,
          unit: .generic, flags: moving.union(.canRamp)),
        Parameter(
          identifier: "level", name: "Level", address: 11, range: 0...1, defaultValue: 0.9,
          unit: .linearGain, flags: moving.union(.canRamp)),
      ])
  }

  private static var chorus: ParameterGroup {
    ParameterGroup(
      identifier: "chorus", name: "Chorus",
      children: [
        Parameter(
          identifier: "on", name: "On", address: 12, range: 0...1, defaultValue: 0, unit: .boolean,
          flags: [.readable, .writable, .nonRealTime]),
        Parameter(
          identifier: "voices", name: "Voices", address: 13, range: 0...99, defaultValue: 3,
          unitName: "voices"),
        Parameter(
          identifier: "level", name: "Level", address: 14, range: 0...10, defaultValue: 2,
          unit: .linearGain, flags: moving.union(.canRamp)),
        Parameter(
          identifier: "speed", name: "Speed", address: 15, range: 0.1...5, defaultValue: 0.3,
          unit: .hertz, flags: moving),
        Parameter(
          identifier: "depth", name: "Depth", address: 16, range: 0...256, defaultValue: 8,
          unit: .milliseconds, flags: moving),
        Parameter(
          identifier: "type", name: "Type", address: 17, range: 0...1, defaultValue: 0,
          unit: .indexed, valueStrings: ["Sine", "Triangle"]),
      ])
  }
}

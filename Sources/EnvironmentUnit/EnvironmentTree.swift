// The parameters of an environment.

import DSP
import UnitModel

/// Constructors of the parameter tree, in the order of `EnvironmentAddresses`.
enum EnvironmentTree {
  static let ramps: ParameterFlags = [.readable, .writable, .canRamp]
  /// The largest coordinate in each direction, in metres.
  static let farthest: Float = 100_000
  static let algorithmNames = [
    "Equal Power", "Spherical Head", "HRTF", "Sound Field", "Stereo Pass-Through",
  ]
  static let modelNames = ["Inverse", "Linear", "Exponential"]
  /// Names of the filter kinds, in the order of `EqualizerBandKind`.
  static let filterNames = [
    "Parametric", "Low Pass", "High Pass", "Resonant Low Pass", "Resonant High Pass", "Band Pass",
    "Band Stop", "Low Shelf", "High Shelf", "Resonant Low Shelf", "Resonant High Shelf",
  ]

  static func make(inputs: Int) throws(ParameterTreeError) -> ParameterTree {
    try ParameterTree(children: [
      volume(EnvironmentAddresses.volume),
      listener(),
      distance(),
      reverb(),
      ParameterGroup(
        identifier: "inputs", name: "Inputs", children: (0..<inputs).map { input($0) }),
    ])
  }

  private static func volume(_ address: Int) -> Parameter {
    Parameter(
      identifier: "volume", name: "Volume", address: ParameterAddress(address), range: 0...4,
      defaultValue: 1, unit: .linearGain, flags: ramps)
  }

  private static func position(_ first: Int) -> [ParameterNode] {
    [("x", "X"), ("y", "Y"), ("z", "Z")].enumerated().map { index, names in
      Parameter(
        identifier: names.0, name: names.1, address: ParameterAddress(first + index),
        range: -farthest...farthest, defaultValue: 0, unit: .meters, flags: ramps)
    }
  }

  private static func listener() -> ParameterGroup {
    let first = EnvironmentAddresses.listener
    func angle(_ identifier: String, _ name: String, _ index: Int, _ most: Float) -> Parameter {
      Parameter(
        identifier: identifier, name: name, address: ParameterAddress(first + index),
        range: -most...most, defaultValue: 0, unit: .degrees, flags: ramps)
    }
    return ParameterGroup(
      identifier: "listener", name: "Listener",
      children: position(first) + [
        angle("yaw", "Yaw", 3, 180), angle("pitch", "Pitch", 4, 90), angle("roll", "Roll", 5, 180),
      ])
  }

  private static func distance() -> ParameterGroup {
    let first = ParameterAddress(EnvironmentAddresses.distance)
    let logarithmic = ramps.union(.displayLogarithmic)
    return ParameterGroup(
      identifier: "distance", name: "Distance",
      children: [
        Parameter(
          identifier: "model", name: "Model", address: first - 1, range: 0...2, unit: .indexed,
          valueStrings: modelNames),
        Parameter(
          identifier: "reference", name: "Reference", address: first, range: 0.01...farthest,
          defaultValue: 1, unit: .meters, flags: logarithmic),
        Parameter(
          identifier: "maximum", name: "Maximum", address: first + 1, range: 0.01...farthest,
          defaultValue: farthest, unit: .meters, flags: logarithmic),
        Parameter(
          identifier: "rollOff", name: "Roll-off", address: first + 2, range: 0...10,
          defaultValue: 1, flags: ramps),
      ])
  }

  private static func reverb() -> ParameterGroup {
    let filter = ParameterAddress(EnvironmentAddresses.filter)
    let logarithmic = ramps.union(.displayLogarithmic)
    let rooms = ReverbPreset.allCases.map(\.name)
    let on = ParameterAddress(EnvironmentAddresses.reverbOn)
    return ParameterGroup(
      identifier: "reverb", name: "Reverb",
      children: [
        Parameter(identifier: "on", name: "On", address: on, range: 0...1, unit: .boolean),
        Parameter(
          identifier: "preset", name: "Preset", address: on + 1, range: 0...Float(rooms.count - 1),
          defaultValue: 1, unit: .indexed, valueStrings: rooms),
        Parameter(
          identifier: "level", name: "Level", address: on + 2, range: -40...40, defaultValue: 0,
          unit: .decibels, flags: ramps),
        ParameterGroup(
          identifier: "filter", name: "Filter",
          children: [
            Parameter(
              identifier: "kind", name: "Kind", address: filter,
              range: 0...Float(filterNames.count - 1), unit: .indexed, valueStrings: filterNames),
            Parameter(
              identifier: "frequency", name: "Frequency", address: filter + 1, range: 20...20_000,
              defaultValue: 1000, unit: .hertz, flags: logarithmic),
            Parameter(
              identifier: "gain", name: "Gain", address: filter + 2, range: -96...24,
              defaultValue: 0, unit: .decibels, flags: ramps),
            Parameter(
              identifier: "bandwidth", name: "Bandwidth", address: filter + 3, range: 0.05...5,
              defaultValue: 1, unit: .octaves, flags: logarithmic),
            Parameter(
              identifier: "bypass", name: "Bypass", address: filter + 4, range: 0...1,
              defaultValue: 1, unit: .boolean),
          ]),
      ])
  }

  private static func input(_ index: Int) -> ParameterGroup {
    let base = EnvironmentAddresses.input(index)
    let first = ParameterAddress(base)
    func obstacle(_ identifier: String, _ name: String, _ offset: Int) -> Parameter {
      Parameter(
        identifier: identifier, name: name, address: first + ParameterAddress(offset),
        range: -100...0, defaultValue: 0, unit: .decibels, flags: ramps)
    }
    return ParameterGroup(
      identifier: "\(index + 1)", name: "Input \(index + 1)",
      children: position(base) + [
        volume(base + EnvironmentAddresses.sourceVolume),
        Parameter(
          identifier: "algorithm", name: "Algorithm",
          address: first + ParameterAddress(EnvironmentAddresses.algorithm),
          range: 0...Float(algorithmNames.count - 1), unit: .indexed,
          valueStrings: algorithmNames),
        Parameter(
          identifier: "reverbBlend", name: "Reverb Blend",
          address: first + ParameterAddress(EnvironmentAddresses.reverbBlend), range: 0...1,
          defaultValue: 0, flags: ramps),
        obstacle("obstruction", "Obstruction", EnvironmentAddresses.obstruction),
        obstacle("occlusion", "Occlusion", EnvironmentAddresses.occlusion),
        Parameter(
          identifier: "pan", name: "Pan (kept)",
          address: first + ParameterAddress(EnvironmentAddresses.pan), range: -1...1,
          defaultValue: 0, unit: .pan),
      ])
  }
}

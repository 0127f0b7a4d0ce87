// The mixer's control side.

import DSP
import UnitModel
import UnitRender

/// A mixer of up to 256 inputs, each with a volume, a pan, mute and solo, and a channel count.
/// Inputs can be added and removed during playback.
///
/// An input is created when something is connected to it. Its volume and pan exist before that, and
/// remain after its removal. `MixMatrix` maps its channels to those of the mix.
///
/// Every parameter ramps. A value set without a ramp is reached within 20 ms, or at once if the
/// input is not connected. A bypassed mixer adds its inputs unchanged.
///
/// Parameters: `volume` of the mix and `inputs.N.volume`, 0 to 4 (+12 dB), default 1;
/// `inputs.N.pan`, −1 (left) to 1 (right), default 0; `inputs.N.mute` and `inputs.N.solo`, which
/// fade within 20 ms. While connected inputs are solo, only these are audible; a muted one is not.
///
/// AUv3: the unit of `AVAudioMixerNode`.
public final class MixerUnit: AudioUnit, Mixing, @unchecked Sendable {
  public static let component = component(MixerLayout())

  static func component(_ layout: MixerLayout) -> Component {
    Component(
      description: ComponentDescription(type: .mixer, subtype: "mixr", manufacturer: "Aurc"),
      name: "Mixer", shortName: "mixer", unitType: MixerUnit.self
    ) { description, _ in
      try MixerUnit(layout, componentDescription: description)
    }
  }

  public static let volumeAddress: ParameterAddress = 0

  /// Returns the address of an input's volume. Inputs count from 0.
  /// - Thread: [any]
  public static func volumeAddress(ofInput input: Int) -> ParameterAddress {
    ParameterAddress(1 + 4 * input)
  }

  /// Returns the address of an input's pan. Inputs count from 0.
  /// - Thread: [any]
  public static func panAddress(ofInput input: Int) -> ParameterAddress {
    ParameterAddress(2 + 4 * input)
  }

  /// Returns the address of an input's mute. Inputs count from 0.
  /// - Thread: [any]
  public static func muteAddress(ofInput input: Int) -> ParameterAddress {
    ParameterAddress(3 + 4 * input)
  }

  /// Returns the address of an input's solo. Inputs count from 0.
  /// - Thread: [any]
  public static func soloAddress(ofInput input: Int) -> ParameterAddress {
    ParameterAddress(4 + 4 * input)
  }

  /// The layout chosen at initialisation.
  ///
  /// - Thread: [any]
  public let layout: MixerLayout
  /// The mixing properties of the mix at another mixer.
  public let mixing = MixingProperties()

  /// Makes a mixer without render resources.
  ///
  /// - Parameter layout: the most inputs, the channels of the mix, and the inputs with ports.
  /// - Throws: `BusError` for a port with another channel count than `layout.inputChannelCounts`.
  /// - Thread: [control]
  public init(
    _ layout: MixerLayout = MixerLayout(),
    componentDescription: ComponentDescription = MixerUnit.component.description
  ) throws {
    self.layout = layout
    let counts = layout.inputChannelCounts
    try super.init(
      componentDescription: componentDescription,
      inputBusses: BusArray(
        .input, count: layout.ports.count, maximumBusCount: layout.inputs, isOpen: true
      ) { index throws(BusError) in
        try Bus(
          .input, format: .standard(layout.portChannels(of: index)), name: "Input \(index + 1)",
          supportedChannelCounts: counts)
      },
      outputBusses: BusArray(
        .output,
        [
          Bus(
            .output, format: .standard(layout.channels), name: "Output",
            supportedChannelCounts: [layout.channels])
        ]),
      parameterTree: Self.tree(inputs: layout.inputs))
  }

  /// The linear gain of the mix: the `volume` parameter, 0 to 4, 1 by default. A value out of range
  /// is clamped; NaN is ignored. If the unit's event queue is full, the value stays; `setValue` of
  /// the parameter then throws. `volume` is the gain at the next mixer.
  ///
  /// AUv3: `outputVolume` of `AVAudioMixerNode`.
  /// - Thread: [control]
  public var outputVolume: Float {
    get { parameterTree.parameter(address: Self.volumeAddress)?.value ?? 1 }
    set {
      guard !newValue.isNaN else { return }
      let value = min(max(newValue, 0), MixerKernel.mostVolume)
      try? parameterTree.parameter(address: Self.volumeAddress)?.setValue(value)
    }
  }

  private static func tree(inputs: Int) throws(ParameterTreeError) -> ParameterTree {
    let flags: ParameterFlags = [.readable, .writable, .canRamp]
    func volume(_ address: ParameterAddress) -> Parameter {
      Parameter(
        identifier: "volume", name: "Volume", address: address, range: 0...MixerKernel.mostVolume,
        defaultValue: 1, unit: .linearGain, flags: flags)
    }
    func onOff(_ identifier: String, _ name: String, _ address: ParameterAddress) -> Parameter {
      Parameter(
        identifier: identifier, name: name, address: address, range: 0...1, unit: .boolean)
    }
    let strips = (0..<inputs).map { input in
      ParameterGroup(
        identifier: "\(input + 1)", name: "Input \(input + 1)",
        children: [
          volume(volumeAddress(ofInput: input)),
          Parameter(
            identifier: "pan", name: "Pan", address: panAddress(ofInput: input), range: -1...1,
            defaultValue: 0, unit: .pan, flags: flags),
          onOff("mute", "Mute", muteAddress(ofInput: input)),
          onOff("solo", "Solo", soloAddress(ofInput: input)),
        ])
    }
    return try ParameterTree(children: [
      volume(volumeAddress), ParameterGroup(identifier: "inputs", name: "Inputs", children: strips),
    ])
  }

  public override var channelCapabilities: [ChannelCapability]? { [.any] }

  public override var factoryPresets: [Preset] {
    MixerPreset.allCases.enumerated().map { Preset(number: $0, name: $1.rawValue) }
  }

  public override func factoryPresetValues(of preset: Preset) -> [String: Float] {
    guard MixerPreset.allCases.indices.contains(preset.number) else { return [:] }
    var values: [String: Float] = ["volume": 1]
    for input in 0..<layout.inputs {
      values["inputs.\(input + 1).volume"] = 1
      values["inputs.\(input + 1).pan"] =
        MixerPreset.allCases[preset.number].pan(ofInput: input, among: layout.inputs)
      values["inputs.\(input + 1).mute"] = 0
      values["inputs.\(input + 1).solo"] = 0
    }
    return values
  }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    RenderResources(
      MixerKernel(
        stripCount: layout.inputs, outputCount: layout.channels,
        isMonoAtUnity: layout.isMonoAtUnity,
        sampleRate: outputBusses[0].format.sampleRate, values: parameterValues,
        isBypassed: shouldBypassEffect),
      for: self, render: mixerRender, reset: mixerReset)
  }
}

/// A factory preset of the mixer.
enum MixerPreset: String, CaseIterable {
  case unity = "Unity"
  case alternating = "Left and Right"
  case spread = "Spread"

  /// Returns the pan of an input in this preset.
  /// - Parameter input: the input, counted from 0.
  func pan(ofInput input: Int, among count: Int) -> Float {
    switch self {
    case .unity: 0
    case .alternating: input.isMultiple(of: 2) ? -1 : 1
    case .spread: count > 1 ? 2 * Float(input) / Float(count - 1) - 1 : 0
    }
  }
}

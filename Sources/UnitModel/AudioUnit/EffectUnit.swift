// The base of effects.

/// An effect whose output has as many channels as its input.
///
/// AUv3: an `AUAudioUnit` of the type `kAudioUnitType_Effect`.
open class EffectUnit: AudioUnit, @unchecked Sendable {
  /// Makes an effect without render resources.
  ///
  /// - Parameters:
  ///   - inputs: The names of the input busses.
  ///   - channelCounts: The channel counts that each bus takes; empty for any.
  ///   - parameters: The parameters and groups, in the order of the tree.
  ///   - factoryPresets: The factory presets, in the order of their numbers from 0 on.
  /// - Throws: `ParameterTreeError` and `BusError` for parameters and counts that do not fit.
  /// - Thread: [control]
  public init(
    componentDescription: ComponentDescription, inputs: [String] = ["Input"],
    channelCounts: [Int] = [], parameters: [ParameterNode] = [],
    factoryPresets: [FactoryPreset] = []
  ) throws {
    try super.init(
      componentDescription: componentDescription,
      inputBusses: BusArray(
        .input, inputs.map { try Bus(.input, name: $0, supportedChannelCounts: channelCounts) }),
      outputBusses: BusArray(
        .output, [Bus(.output, name: "Output", supportedChannelCounts: channelCounts)]),
      parameterTree: ParameterTree(children: parameters), factoryPresets: factoryPresets)
  }

  open override var channelCapabilities: [ChannelCapability]? { [.matching] }
}

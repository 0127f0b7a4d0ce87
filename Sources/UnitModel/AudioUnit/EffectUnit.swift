// The base of effects.

/// An effect whose output has as many channels as its input.
///
/// AUv3: an `AUAudioUnit` of the type `kAudioUnitType_Effect`.
open class EffectUnit: AudioUnit, @unchecked Sendable {
  /// Makes an effect without render resources.
  ///
  /// - Parameters:
  ///   - inputs: The names of the input busses.
  ///   - channelCounts: The channel counts that each bus takes; empty for any. A bus begins with
  ///     two channels, or with the first of these counts.
  ///   - parameters: The parameters and groups, in the order of the tree.
  ///   - factoryPresets: The factory presets, in the order of their numbers from 0 on.
  /// - Throws: `ParameterTreeError`, and `BusError` for a count of channels that no bus can have.
  /// - Thread: [control]
  public init(
    componentDescription: ComponentDescription, inputs: [String] = ["Input"],
    channelCounts: [Int] = [], parameters: [ParameterNode] = [],
    factoryPresets: [FactoryPreset] = []
  ) throws {
    let usual = AudioFormat.standard
    let format = try AudioFormat(
      sampleRate: usual.sampleRate,
      channelCount: channelCounts.contains(usual.channelCount)
        ? usual.channelCount : channelCounts.first ?? usual.channelCount)
    func bus(_ type: BusType, _ name: String) throws -> Bus {
      try Bus(type, format: format, name: name, supportedChannelCounts: channelCounts)
    }
    try super.init(
      componentDescription: componentDescription,
      inputBusses: BusArray(.input, inputs.map { try bus(.input, $0) }),
      outputBusses: BusArray(.output, [bus(.output, "Output")]),
      parameterTree: ParameterTree(children: parameters), factoryPresets: factoryPresets)
  }

  open override var channelCapabilities: [ChannelCapability]? { [.matching] }
}

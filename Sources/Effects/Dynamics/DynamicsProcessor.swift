// The control side shared by a compressor, a limiter and a gate.

public import UnitModel
import UnitRender

/// An effect that applies gains computed from levels. It takes any channel count, with as many
/// outputs as inputs and one gain for all channels.
///
/// The level is that of the loudest channel, with `sideChain` that of the second input's loudest
/// channel. The inputs' channel counts may differ. A look-ahead, chosen when the unit is made,
/// delays the sound against its level, and is reported by `latency`. Bypass fades within 20 ms and
/// has the same latency.
///
/// Every unit has, after its own, the parameters `sideChain` and the read-only `reduction`, the
/// decibels by which the gain is lowered. If peaks between frames can be levels, `truePeak`
/// follows.
///
/// AUv3: an effect of two input busses, as `AUDynamicsProcessor`.
public class DynamicsProcessor: AudioUnit, @unchecked Sendable {
  /// The range of the look-ahead, in milliseconds.
  public static let lookAheads = 0.0...20.0

  /// The default look-ahead, in milliseconds.
  class var usualLookAhead: Double { 0 }

  /// The delay of the sound against its level, in milliseconds.
  /// - Thread: [any]
  public let lookAhead: Double
  /// The address of `sideChain`.
  /// - Thread: [any]
  public let sideChainAddress: ParameterAddress
  /// The address of `reduction`.
  /// - Thread: [any]
  public let reductionAddress: ParameterAddress
  private let presets: [DynamicsPreset]

  init(
    _ description: ComponentDescription, lookAhead: Double, parameters: [Parameter],
    presets: [DynamicsPreset], findsTruePeaks: Bool = false
  ) throws {
    // NaN becomes 0.
    let (least, most) = (Self.lookAheads.lowerBound, Self.lookAheads.upperBound)
    self.lookAhead = lookAhead > least ? min(lookAhead, most) : least
    self.presets = presets
    sideChainAddress = ParameterAddress(parameters.count)
    reductionAddress = sideChainAddress + 1
    let truePeak = Parameter(
      identifier: "truePeak", name: "True peak", address: reductionAddress + 1, range: 0...1,
      unit: .boolean)
    try super.init(
      componentDescription: description,
      inputBusses: BusArray(
        .input, [Bus(.input, name: "Input"), Bus(.input, name: "Side-chain")]),
      outputBusses: BusArray(.output, [Bus(.output, name: "Output")]),
      parameterTree: ParameterTree(
        children: parameters + [
          Parameter(
            identifier: "sideChain", name: "Side-chain", address: sideChainAddress,
            range: 0...1, unit: .boolean),
          Parameter(
            identifier: "reduction", name: "Reduction", address: reductionAddress,
            range: 0...240, defaultValue: 0, unit: .decibels, flags: [.readable]),
        ] + (findsTruePeaks ? [truePeak] : [])))
  }

  public override var channelCapabilities: [ChannelCapability]? { [.matching] }

  var lookAheadFrames: Int {
    Int((lookAhead / 1000 * outputBusses[0].format.sampleRate).rounded())
  }

  /// The look-ahead, rounded to whole frames, in seconds.
  public override var latency: Double {
    Double(lookAheadFrames) / outputBusses[0].format.sampleRate
  }

  /// The look-ahead: the gain computer holds no sound.
  public override var tailTime: Double { latency }

  public override var factoryPresets: [Preset] {
    presets.enumerated().map { Preset(number: $0, name: $1.name) }
  }

  public override func factoryPresetValues(of preset: Preset) -> [String: Float] {
    presets.indices.contains(preset.number) ? presets[preset.number].values : [:]
  }

  /// Returns the value of a parameter by its address.
  func value(_ address: Int) -> Double { Double(parameterValues[address]) }

  func kernel<Computer: GainComputer & ~Copyable>(
    _ computer: consuming Computer
  ) -> DynamicsKernel<Computer> {
    DynamicsKernel(
      computer, channelCount: outputBusses[0].format.channelCount,
      maximumFrames: maximumFramesToRender, values: parameterValues,
      parameters: parameterTree.allParameters.map(\.limits),
      sideChain: Int(sideChainAddress),
      levelChannels: inputBusses.busses.map(\.format.channelCount).max() ?? 0,
      lookAheadFrames: lookAheadFrames)
  }
}

/// A factory preset, with a value for every parameter that can be set.
struct DynamicsPreset {
  let name: String
  let values: [String: Float]

  init(_ name: String, _ values: [String: Float], isKeyed: Bool = false) {
    self.name = name
    self.values = values.merging(["sideChain": isKeyed ? 1 : 0]) { $1 }
  }
}

extension Parameter {
  /// Creates a ramping parameter in decibels.
  convenience init(
    decibels range: ClosedRange<Float>, _ identifier: String, _ name: String,
    _ address: ParameterAddress, default value: Float
  ) {
    self.init(
      identifier: identifier, name: name, address: address, range: range, defaultValue: value,
      unit: .decibels, flags: [.readable, .writable, .canRamp])
  }

  /// Creates a time parameter, which does not ramp.
  convenience init(
    milliseconds range: ClosedRange<Float>, _ identifier: String, _ name: String,
    _ address: ParameterAddress, default value: Float
  ) {
    self.init(
      identifier: identifier, name: name, address: address, range: range, defaultValue: value,
      unit: .milliseconds, flags: [.readable, .writable, .displayLogarithmic])
  }
}

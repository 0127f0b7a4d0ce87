// What a compressor, a limiter and a gate have in common on the control side.

import Foundation
public import UnitModel
import UnitRender

/// An effect that makes gains of levels. Any channel count, as many out as in, one gain for all
/// channels.
///
/// The level is that of the loudest channel, or, with `sideChain`, that of the loudest channel of
/// the second input, which may have another channel count. With a look-ahead, chosen when the unit
/// is made, the sound comes as much later than its level, which `latency` tells. Bypass fades
/// within 20 ms and is as late.
///
/// Every unit has, behind its own, the parameters `sideChain` and `reduction`, by how many decibels
/// the gain is lowered, which is read. Where peaks between frames can be levels, `truePeak`
/// follows.
///
/// AUv3: an effect of two input busses, as `AUDynamicsProcessor`.
public class DynamicsProcessor: AudioUnit, @unchecked Sendable {
  /// What the look-ahead may be, in milliseconds.
  public static let lookAheads = 0.0...20.0

  /// The look-ahead of units that are made without one, in milliseconds.
  class var usualLookAhead: Double { 0 }

  /// How much later the sound comes than its level, in milliseconds.
  /// - Thread: [any]
  public let lookAhead: Double
  /// - Thread: [any]
  public let sideChainAddress: ParameterAddress
  /// - Thread: [any]
  public let reductionAddress: ParameterAddress
  private let presets: [DynamicsPreset]

  init(
    _ description: ComponentDescription, lookAhead: Double, parameters: [Parameter],
    presets: [DynamicsPreset], findsTruePeaks: Bool = false
  ) throws {
    // NaN is no look-ahead.
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

  /// The look-ahead, in whole frames.
  public override var latency: Double {
    Double(lookAheadFrames) / outputBusses[0].format.sampleRate
  }

  /// The look-ahead: what the gain does holds no sound.
  public override var tailTime: Double { latency }

  public override var factoryPresets: [Preset] {
    presets.enumerated().map { Preset(number: $0, name: $1.name) }
  }

  public override func factoryPresetValues(of preset: Preset) -> [String: Float] {
    presets.indices.contains(preset.number) ? presets[preset.number].values : [:]
  }

  /// The value of a parameter by its address.
  func value(_ address: Int) -> Double { Double(parameterValues[address]) }

  func kernel<Computer: GainComputer & ~Copyable>(
    _ computer: consuming Computer
  ) -> DynamicsKernel<Computer> {
    DynamicsKernel(
      computer, channelCount: outputBusses[0].format.channelCount,
      maximumFrames: maximumFramesToRender, values: parameterValues,
      parameters: parameterTree.allParameters.map(\.channelParameter),
      sideChain: Int(sideChainAddress),
      levelChannels: inputBusses.busses.map(\.format.channelCount).max() ?? 0,
      lookAheadFrames: lookAheadFrames)
  }
}

/// A factory preset: all that can be set.
struct DynamicsPreset {
  let name: String
  let values: [String: Float]

  init(_ name: String, _ values: [String: Float], isKeyed: Bool = false) {
    self.name = name
    self.values = values.merging(["sideChain": isKeyed ? 1 : 0]) { $1 }
  }
}

extension Parameter {
  /// One that ramps, in decibels.
  convenience init(
    decibels range: ClosedRange<Float>, _ identifier: String, _ name: String,
    _ address: ParameterAddress, default value: Float
  ) {
    self.init(
      identifier: identifier, name: name, address: address, range: range, defaultValue: value,
      unit: .decibels, flags: [.readable, .writable, .canRamp])
  }

  /// A time, which is set.
  convenience init(
    milliseconds range: ClosedRange<Float>, _ identifier: String, _ name: String,
    _ address: ParameterAddress, default value: Float
  ) {
    self.init(
      identifier: identifier, name: name, address: address, range: range, defaultValue: value,
      unit: .milliseconds, flags: [.readable, .writable, .displayLogarithmic])
  }
}

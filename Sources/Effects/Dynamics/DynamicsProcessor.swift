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
/// The parameters `sideChain` and `reduction` follow the unit's own.
///
/// AUv3: an effect of two input busses, as `AUDynamicsProcessor`.
public class DynamicsProcessor: EffectUnit, GainReducing, LevelResponding, @unchecked Sendable {
  /// The range of the look-ahead, in milliseconds.
  public static let lookAheads = 0.0...20.0

  /// The default look-ahead, in milliseconds.
  class var usualLookAhead: Double { 0 }

  /// The delay of the sound against its level, in milliseconds.
  /// - Thread: [any]
  public let lookAhead: Double
  /// Whether the level is that of the second input, 0 or 1.
  @Parameter public var sideChain: Float
  /// The decibels by which the gain is lowered, 0 to 240; read-only.
  @Parameter public private(set) var reduction: Float

  /// - Parameters:
  ///   - parameters: the unit's own.
  ///   - truePeak: whether peaks between frames count as levels, for the address after that of the
  ///     reduction; nil if they never do.
  init(
    _ description: ComponentDescription, lookAhead: Double, parameters: [Parameter],
    truePeak: Parameter? = nil, presets: [FactoryPreset]
  ) throws {
    // NaN becomes 0.
    let (least, most) = (Self.lookAheads.lowerBound, Self.lookAheads.upperBound)
    self.lookAhead = lookAhead > least ? min(lookAhead, most) : least
    let first = ParameterAddress(parameters.count)
    _sideChain = Parameter(
      identifier: "sideChain", name: "Side-chain", address: first, range: 0...1, unit: .boolean)
    _reduction = Parameter(
      identifier: "reduction", name: "Reduction", address: first + 1, range: 0...240,
      defaultValue: 0, unit: .decibels, flags: [.readable])
    let shared = [_sideChain, _reduction] + (truePeak.map { [$0] } ?? [])
    try super.init(
      componentDescription: description, inputs: ["Input", "Side-chain"],
      parameters: parameters + shared, factoryPresets: presets)
  }

  var lookAheadFrames: Int { Int((lookAhead / 1000 * sampleRate).rounded()) }

  /// The look-ahead, rounded to whole frames, in seconds.
  public override var latency: Double { Double(lookAheadFrames) / sampleRate }

  /// The look-ahead: the gain computer holds no sound.
  public override var tailTime: Double { latency }

  /// Returns the gain in decibels of a steady level.
  func gainDecibels(ofLevel decibels: Double) -> Double { 0 }

  public func outputDecibels(atInputDecibels levels: [Double]) -> [Double] {
    levels.map { $0 + gainDecibels(ofLevel: $0) }
  }

  func kernel<Computer: GainComputer & ~Copyable>(
    _ computer: consuming Computer
  ) -> DynamicsKernel<Computer> {
    DynamicsKernel(
      computer, channelCount: outputBusses[0].format.channelCount,
      maximumFrames: maximumFramesToRender, values: parameterValues,
      parameters: parameterTree.allParameters.map(\.limits),
      sideChain: Int($sideChain.address),
      levelChannels: inputBusses.busses.map(\.format.channelCount).max() ?? 0,
      lookAheadFrames: lookAheadFrames)
  }
}

extension Parameter {
  /// The parameter of a property in decibels, which ramps.
  convenience init(
    wrappedValue: Float, decibels range: ClosedRange<Float>, _ identifier: String,
    _ name: String, _ address: ParameterAddress
  ) {
    self.init(
      identifier: identifier, name: name, address: address, range: range,
      defaultValue: wrappedValue, unit: .decibels, flags: .ramping)
  }

  /// The parameter of a property that is a time and does not ramp.
  convenience init(
    wrappedValue: Float, milliseconds range: ClosedRange<Float>, _ identifier: String,
    _ name: String, _ address: ParameterAddress
  ) {
    self.init(
      identifier: identifier, name: name, address: address, range: range,
      defaultValue: wrappedValue, unit: .milliseconds,
      flags: [.readable, .writable, .displayLogarithmic])
  }
}

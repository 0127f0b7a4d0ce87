// A MIDI chain's settings as parameters of its unit.

public import MIDIStages
public import UnitModel

extension MIDIChainLayout {
  /// A group `midi` with a group for each stage: `filter`, `filter2`, `transpose`…, in the chain's
  /// order.
  ///
  /// Key paths are like `midi.filter.keyLow` or `midi.transpose2.channels.10`.
  ///
  /// - Thread: [control]
  public func parameterGroup() -> ParameterGroup {
    ParameterGroup(identifier: "midi", name: "MIDI", children: stages.map { $0.parameterGroup })
  }
}

extension MIDIChainLayout.Stage {
  private var suffix: String { ordinal == 1 ? "" : "\(ordinal)" }

  /// The key path of the stage's parameters: `midi.filter`, for the second of its kind
  /// `midi.filter2`.
  ///
  /// - Thread: [any]
  public var keyPath: String { "midi." + kind.rawValue + suffix }

  fileprivate var parameterGroup: ParameterGroup {
    ParameterGroup(
      identifier: kind.rawValue + suffix,
      name: kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst()
        + (suffix.isEmpty ? "" : " " + suffix),
      children: parameters + [bypass])
  }

  private var bypass: Parameter {
    Parameter(
      identifier: "bypass", name: "Bypass", address: baseAddress + UInt64(Self.bypassIndex),
      range: 0...1, defaultValue: 0, unit: .boolean)
  }

  private var parameters: [ParameterNode] {
    switch kind {
    case .filter: filterParameters
    case .transpose: transposeParameters
    case .velocity: velocityParameters
    case .scale: scaleParameters
    case .channel: channelParameters
    case .bend: bendParameters
    case .controller: controllerParameters
    case .arpeggiator: arpeggiatorParameters
    case .chord: chordParameters
    case .echo: echoParameters
    case .clock: clockParameters
    }
  }

  /// A switch for each channel: parameters 0 to 15 of the stages that have them.
  var channelGroup: ParameterGroup {
    ParameterGroup(
      identifier: "channels", name: "Channels",
      children: (0..<16).map {
        number(
          "\($0 + 1)", "Channel \($0 + 1)", TransposeParameter.channels, plus: $0, 0...1, 1,
          .boolean)
      })
  }

  /// - Parameters:
  ///   - parameter: its number in the stage, or that of the first of several.
  ///   - offset: its index among these.
  func number(
    _ identifier: String, _ name: String, _ parameter: some RawRepresentable<Int>,
    plus offset: Int = 0, _ range: ClosedRange<Float>, _ defaultValue: Float, _ unit: ParameterUnit
  ) -> Parameter {
    Parameter(
      identifier: identifier, name: name, address: address(parameter, offset), range: range,
      defaultValue: defaultValue, unit: unit)
  }

  /// A parameter with whole-number values only.
  func whole(
    _ identifier: String, _ name: String, _ parameter: some RawRepresentable<Int>,
    plus offset: Int = 0, _ range: ClosedRange<Float>, _ defaultValue: Float, _ unit: ParameterUnit
  ) -> Parameter {
    Parameter(
      identifier: identifier, name: name, address: address(parameter, offset), range: range,
      defaultValue: defaultValue, unit: unit, isWhole: true)
  }

  /// A parameter with named values, counted from 0.
  func choice(
    _ identifier: String, _ name: String, _ parameter: some RawRepresentable<Int>,
    _ values: [String], defaultIndex: Int = 0, flags: ParameterFlags = [.readable, .writable]
  ) -> Parameter {
    Parameter(
      identifier: identifier, name: name, address: address(parameter),
      range: 0...Float(values.count - 1), defaultValue: Float(defaultIndex), unit: .indexed,
      flags: flags, valueStrings: values)
  }

  func address(_ parameter: some RawRepresentable<Int>, _ offset: Int = 0) -> ParameterAddress {
    baseAddress + UInt64(parameter.rawValue + offset)
  }
}

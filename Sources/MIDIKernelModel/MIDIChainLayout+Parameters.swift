// The settings of a MIDI chain as parameters of the unit that has it.

public import MIDIKernel
public import UnitModel

extension MIDIStageKind {
  /// The word for the kind in configurations and key paths, as the case is called: `filter`.
  ///
  /// - Thread: [any]
  public var identifier: String {
    switch self {
    case .filter: "filter"
    case .transpose: "transpose"
    case .velocity: "velocity"
    case .scale: "scale"
    case .channel: "channel"
    case .bend: "bend"
    case .controller: "controller"
    case .arpeggiator: "arpeggiator"
    case .chord: "chord"
    case .echo: "echo"
    case .clock: "clock"
    }
  }

  /// The kind of an identifier, nil if there is none.
  ///
  /// - Thread: [any]
  public init?(identifier: String) {
    guard let kind = Self.allCases.first(where: { $0.identifier == identifier }) else { return nil }
    self = kind
  }

  fileprivate var displayName: String {
    switch self {
    case .filter: "Filter"
    case .transpose: "Transpose"
    case .velocity: "Velocity"
    case .scale: "Scale"
    case .channel: "Channel"
    case .bend: "Bend"
    case .controller: "Controller"
    case .arpeggiator: "Arpeggiator"
    case .chord: "Chord"
    case .echo: "Echo"
    case .clock: "Clock"
    }
  }
}

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
  public var keyPath: String { "midi." + kind.identifier + suffix }

  fileprivate var parameterGroup: ParameterGroup {
    ParameterGroup(
      identifier: kind.identifier + suffix,
      name: kind.displayName + (suffix.isEmpty ? "" : " " + suffix),
      children: parameters + [number("bypass", "Bypass", 0xFF, 0...1, 0, .boolean)])
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

  /// The indices here are those of the stage's `setParameter`, and in order.
  private var filterParameters: [ParameterNode] {
    [
      channelGroup(name: "Channels"),
      number("keyLow", "Lowest Key", 16, 0...127, 0, .midiNoteNumber),
      number("keyHigh", "Highest Key", 17, 0...127, 127, .midiNoteNumber),
      whole("velocityLow", "Lowest Velocity", 18, 1...127, 1, .generic),
      whole("velocityHigh", "Highest Velocity", 19, 1...127, 127, .generic),
      number("controllerLow", "Lowest Controller", 20, 0...127, 0, .midiController),
      number("controllerHigh", "Highest Controller", 21, 0...127, 127, .midiController),
      ParameterGroup(
        identifier: "pass", name: "Pass",
        children: [
          number("note", "Notes", 22, 0...1, 1, .boolean),
          number("controller", "Controllers", 23, 0...1, 1, .boolean),
          number("bend", "Pitch Bend", 24, 0...1, 1, .boolean),
          number("pressure", "Pressure", 25, 0...1, 1, .boolean),
          number("program", "Program Changes", 26, 0...1, 1, .boolean),
          number("sysex", "System Exclusive", 27, 0...1, 1, .boolean),
          number("system", "System Common and Realtime", 28, 0...1, 1, .boolean),
        ]),
    ]
  }

  private var transposeParameters: [ParameterNode] {
    [
      channelGroup(name: "Channels"),
      whole("semitones", "Semitones", 16, -127...127, 0, .relativeSemitones),
    ]
  }

  func channelGroup(name: String) -> ParameterGroup {
    ParameterGroup(
      identifier: "channels", name: name,
      children: (0..<16).map {
        number("\($0 + 1)", "Channel \($0 + 1)", UInt64($0), 0...1, 1, .boolean)
      })
  }

  func number(
    _ identifier: String, _ name: String, _ index: UInt64, _ range: ClosedRange<Float>,
    _ defaultValue: Float, _ unit: ParameterUnit
  ) -> Parameter {
    Parameter(
      identifier: identifier, name: name, address: baseAddress + index, range: range,
      defaultValue: defaultValue, unit: unit)
  }

  /// A parameter that has whole numbers alone.
  func whole(
    _ identifier: String, _ name: String, _ index: UInt64, _ range: ClosedRange<Float>,
    _ defaultValue: Float, _ unit: ParameterUnit
  ) -> Parameter {
    Parameter(
      identifier: identifier, name: name, address: baseAddress + index, range: range,
      defaultValue: defaultValue, unit: unit, isWhole: true)
  }

  /// A parameter whose values have names, counted from 0.
  func choice(
    _ identifier: String, _ name: String, _ index: UInt64, _ values: [String],
    defaultIndex: Int = 0, flags: ParameterFlags = [.readable, .writable]
  ) -> Parameter {
    Parameter(
      identifier: identifier, name: name, address: baseAddress + index,
      range: 0...Float(values.count - 1), defaultValue: Float(defaultIndex), unit: .indexed,
      flags: flags,
      valueStrings: values)
  }
}

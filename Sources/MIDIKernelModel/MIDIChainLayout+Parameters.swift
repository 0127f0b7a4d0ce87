// The settings of a MIDI chain as parameters of the unit that has it.

public import MIDIKernel
public import UnitModel

extension MIDIChainLayout {
  /// A group `midi` with a group for each stage: `filter`, `filter2`, `transpose`…, in the chain's order.
  ///
  /// Key paths are like `midi.filter.keyLow` or `midi.transpose2.channels.10`.
  ///
  /// - Thread: [control]
  public func parameterGroup() -> ParameterGroup {
    ParameterGroup(
      identifier: "midi", name: "MIDI",
      children: stages.map { stage in
        let (identifier, name, children) = stage.description
        return ParameterGroup(
          identifier: stage.ordinal == 1 ? identifier : "\(identifier)\(stage.ordinal)",
          name: stage.ordinal == 1 ? name : "\(name) \(stage.ordinal)",
          children: children)
      })
  }
}

extension MIDIChainLayout.Stage {
  fileprivate var description: (identifier: String, name: String, children: [ParameterNode]) {
    switch kind {
    case .filter: ("filter", "Filter", filterParameters)
    case .transpose: ("transpose", "Transpose", transposeParameters)
    }
  }

  /// The indices here are those of the stage's `setParameter`, and in order.
  private var filterParameters: [ParameterNode] {
    [
      channelGroup(name: "Channels"),
      number("keyLow", "Lowest Key", 16, 0...127, 0, .midiNoteNumber),
      number("keyHigh", "Highest Key", 17, 0...127, 127, .midiNoteNumber),
      number("velocityLow", "Lowest Velocity", 18, 1...127, 1, .generic),
      number("velocityHigh", "Highest Velocity", 19, 1...127, 127, .generic),
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
      number("semitones", "Semitones", 16, -127...127, 0, .relativeSemitones),
    ]
  }

  private func channelGroup(name: String) -> ParameterGroup {
    ParameterGroup(
      identifier: "channels", name: name,
      children: (0..<16).map {
        number("\($0 + 1)", "Channel \($0 + 1)", UInt64($0), 0...1, 1, .boolean)
      })
  }

  private func number(
    _ identifier: String, _ name: String, _ index: UInt64, _ range: ClosedRange<Float>,
    _ defaultValue: Float, _ unit: ParameterUnit
  ) -> Parameter {
    Parameter(
      identifier: identifier, name: name, address: baseAddress + index, range: range,
      defaultValue: defaultValue, unit: unit)
  }
}

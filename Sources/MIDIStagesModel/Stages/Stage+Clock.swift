// The parameters of the stage that follows MIDI clock and MTC.

import MIDIStages
import UnitModel

extension MIDIChainLayout.Stage {
  var clockParameters: [ParameterNode] {
    [
      choice(
        "source", "Source", ClockParameter.source,
        ["Automatic", "Transport", "MIDI Clock", "MTC", "Internal"]),
      number("tempo", "Internal Tempo", ClockParameter.tempo, 20...300, 120, .beatsPerMinute),
      number("pass", "Pass Clock Messages", ClockParameter.pass, 0...1, 1, .boolean),
      number("offset", "Time Code of Beat 0", ClockParameter.offset, 0...86399, 0, .seconds),
      meter("measured", "Tempo", ClockParameter.measured, 0...1000, .beatsPerMinute),
      meter("position", "Position", ClockParameter.position, -1e9...1e9, .beats),
    ]
  }

  /// A value that only the stage sets.
  private func meter(
    _ identifier: String, _ name: String, _ parameter: ClockParameter,
    _ range: ClosedRange<Float>, _ unit: ParameterUnit
  ) -> Parameter {
    Parameter(
      identifier: identifier, name: name, address: address(parameter), range: range,
      defaultValue: 0, unit: unit, flags: [.readable, .meterReadOnly])
  }
}

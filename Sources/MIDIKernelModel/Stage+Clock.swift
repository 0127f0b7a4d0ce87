// The parameters of the stage that follows MIDI clock and MTC.

import MIDIKernel
import UnitModel

extension MIDIChainLayout.Stage {
  /// The indices here are those of the stage's `setParameter`, and in order.
  var clockParameters: [ParameterNode] {
    [
      choice(
        "source", "Source", 0, ["Automatic", "Transport", "MIDI Clock", "MTC", "Internal"]),
      number("tempo", "Internal Tempo", 1, 20...300, 120, .beatsPerMinute),
      number("pass", "Pass Clock Messages", 2, 0...1, 1, .boolean),
      number("offset", "Time Code of Beat 0", 3, 0...86399, 0, .seconds),
      meter("measured", "Tempo", 4, 0...1000, .beatsPerMinute),
      meter("position", "Position", 5, -1e9...1e9, .beats),
    ]
  }

  /// A value that only the stage sets.
  private func meter(
    _ identifier: String, _ name: String, _ index: UInt64, _ range: ClosedRange<Float>,
    _ unit: ParameterUnit
  ) -> Parameter {
    Parameter(
      identifier: identifier, name: name, address: baseAddress + index, range: range,
      defaultValue: 0, unit: unit, flags: [.readable, .meterReadOnly])
  }
}

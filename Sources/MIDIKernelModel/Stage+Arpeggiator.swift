// The parameters of the stage that plays held keys one after the other.

import MIDIKernel
import UnitModel

extension MIDIChainLayout.Stage {
  /// The indices here are those of the stage's `setParameter`, and in order.
  var arpeggiatorParameters: [ParameterNode] {
    [
      channelGroup(name: "Channels"),
      choice("mode", "Mode", 16, ["Up", "Down", "Up-Down", "Random", "As Played", "Chord"]),
      whole("octaves", "Octaves", 17, 1...4, 1, .generic),
      choice("rate", "Rate", 18, NoteValue.names, defaultIndex: NoteValue.sixteenth),
      number("gate", "Gate", 19, 1...200, 80, .percent),
      number("swing", "Swing", 20, 50...75, 50, .percent),
      choice("velocities", "Velocities", 21, ["As Played", "Fixed", "Accent"]),
      whole("velocity", "Velocity, fixed or of the Accent", 22, 1...127, 100, .generic),
      number("latch", "Latch", 23, 0...1, 0, .boolean),
      whole("seed", "Seed of Random", 24, 0...9999, 1, .generic),
      choice("begin", "Pattern Begins", 25, ["With the First Key", "With the Song"]),
      choice("pedal", "Sustain Pedal", 26, ["Pass", "Hold"]),
    ]
  }
}

// The parameters of the stage that plays held keys one after the other.

import MIDIStages
import UnitModel

extension MIDIChainLayout.Stage {
  var arpeggiatorParameters: [ParameterNode] {
    [
      channelGroup,
      choice(
        "mode", "Mode", ArpeggiatorParameter.mode,
        ["Up", "Down", "Up-Down", "Random", "As Played", "Chord"]),
      whole("octaves", "Octaves", ArpeggiatorParameter.octaves, 1...4, 1, .generic),
      choice(
        "rate", "Rate", ArpeggiatorParameter.rate, NoteValue.names,
        defaultIndex: NoteValue.sixteenth),
      number("gate", "Gate", ArpeggiatorParameter.gate, 1...200, 80, .percent),
      number("swing", "Swing", ArpeggiatorParameter.swing, 50...75, 50, .percent),
      choice(
        "velocities", "Velocities", ArpeggiatorParameter.velocities,
        ["As Played", "Fixed", "Accent"]),
      whole(
        "velocity", "Velocity, fixed or of the Accent", ArpeggiatorParameter.velocity, 1...127, 100,
        .generic),
      number("latch", "Latch", ArpeggiatorParameter.latch, 0...1, 0, .boolean),
      whole("seed", "Seed of Random", ArpeggiatorParameter.seed, 0...9999, 1, .generic),
      choice(
        "begin", "Pattern Begins", ArpeggiatorParameter.begin,
        ["With the First Key", "With the Song"]),
      choice("pedal", "Sustain Pedal", ArpeggiatorParameter.pedal, ["Pass", "Hold"]),
    ]
  }
}

// The parameters of the stage that repeats notes in time.

import MIDIStages
import UnitModel

extension MIDIChainLayout.Stage {
  var echoParameters: [ParameterNode] {
    [
      channelGroup,
      choice(
        "delay", "Delay", EchoParameter.delay, NoteValue.names, defaultIndex: NoteValue.eighth),
      whole("repeats", "Repeats", EchoParameter.repeats, 0...16, 3, .generic),
      number(
        "velocity", "Velocity of the One before", EchoParameter.velocity, 0...100, 70, .percent),
      whole(
        "semitones", "Semitones from the One before", EchoParameter.semitones, -24...24, 0,
        .relativeSemitones),
    ]
  }
}

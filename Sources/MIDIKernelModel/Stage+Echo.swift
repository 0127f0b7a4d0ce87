// The parameters of the stage that repeats notes in time.

import MIDIKernel
import UnitModel

extension MIDIChainLayout.Stage {
  /// The indices here are those of the stage's `setParameter`, and in order.
  var echoParameters: [ParameterNode] {
    [
      channelGroup(name: "Channels"),
      choice("delay", "Delay", 16, NoteValue.names, defaultIndex: NoteValue.eighth),
      whole("repeats", "Repeats", 17, 0...16, 3, .generic),
      number("velocity", "Velocity of the One before", 18, 0...100, 70, .percent),
      whole("semitones", "Semitones from the One before", 19, -24...24, 0, .relativeSemitones),
    ]
  }
}

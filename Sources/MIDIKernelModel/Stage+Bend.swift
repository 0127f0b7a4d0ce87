// The parameters of the stage that maps one bend range to another.

import MIDIKernel
import UnitModel

extension MIDIChainLayout.Stage {
  /// The indices here are those of the stage's `setParameter`, and in order.
  var bendParameters: [ParameterNode] {
    [
      channelGroup(name: "Channels"),
      whole("sender", "Sender's Range", 16, 0...96, 2, .relativeSemitones),
      whole("receiver", "Receiver's Range", 17, 0...96, 2, .relativeSemitones),
    ]
  }
}

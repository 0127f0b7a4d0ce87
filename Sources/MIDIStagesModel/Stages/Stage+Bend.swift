// The parameters of the stage that maps one bend range to another.

import MIDIStages
import UnitModel

extension MIDIChainLayout.Stage {
  var bendParameters: [ParameterNode] {
    [
      channelGroup,
      whole("sender", "Sender's Range", BendParameter.sender, 0...96, 2, .relativeSemitones),
      whole("receiver", "Receiver's Range", BendParameter.receiver, 0...96, 2, .relativeSemitones),
    ]
  }
}

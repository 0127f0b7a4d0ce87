// The parameters of the stage that moves notes to other keys.

import MIDIStages
import UnitModel

extension MIDIChainLayout.Stage {
  var transposeParameters: [ParameterNode] {
    [
      channelGroup,
      whole(
        "semitones", "Semitones", TransposeParameter.semitones, -127...127, 0, .relativeSemitones),
    ]
  }
}

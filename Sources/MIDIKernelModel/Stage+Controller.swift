// The parameters of the stage that turns one control into another.

import MIDIKernel
import UnitModel

extension MIDIChainLayout.Stage {
  /// The indices here are those of the stage's `setParameter`, and in order.
  var controllerParameters: [ParameterNode] {
    [
      channelGroup(name: "Channels"),
      choice(
        "source", "Source", 16,
        ["Off", "Controller", "Channel Pressure", "Key Pressure", "Bend"]),
      number("sourceController", "Source's Controller", 17, 0...119, 1, .midiController),
      choice("target", "Target", 18, ["Controller", "Channel Pressure", "Bend"]),
      number("targetController", "Target's Controller", 19, 0...119, 11, .midiController),
      number("inputLow", "Lowest Input", 20, 0...127, 0, .midiController),
      number("inputHigh", "Highest Input", 21, 0...127, 127, .midiController),
      number("outputLow", "Lowest Output", 22, 0...127, 0, .midiController),
      number("outputHigh", "Highest Output", 23, 0...127, 127, .midiController),
      choice("curve", "Curve", 24, ["Linear", "Exponential", "Logarithmic"]),
      number("shape", "Shape of the Curve", 25, 0.1...10, 3, .generic),
      number("keep", "Keep the Source", 26, 0...1, 0, .boolean),
    ]
  }
}

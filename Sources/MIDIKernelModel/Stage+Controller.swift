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
        [
          "Off", "Controller", "Channel Pressure", "Key Pressure", "Bend", "14-bit Controller",
          "NRPN",
        ]),
      number("sourceController", "Source's Controller", 17, 0...119, 1, .midiController),
      choice(
        "target", "Target", 18,
        [
          "Controller", "Channel Pressure", "Bend", "14-bit Controller", "NRPN", "Parameter",
        ]),
      number("targetController", "Target's Controller", 19, 0...119, 11, .midiController),
      number("inputLow", "Lowest Input", 20, 0...127, 0, .midiController),
      number("inputHigh", "Highest Input", 21, 0...127, 127, .midiController),
      number("outputLow", "Lowest Output", 22, 0...127, 0, .midiController),
      number("outputHigh", "Highest Output", 23, 0...127, 127, .midiController),
      choice("curve", "Curve", 24, ["Linear", "Exponential", "Logarithmic"]),
      number("shape", "Shape of the Curve", 25, 0.1...10, 3, .generic),
      number("keep", "Keep the Source", 26, 0...1, 0, .boolean),
      whole("sourceNRPN", "Source's NRPN", 27, 0...16383, 0, .generic),
      whole("targetNRPN", "Target's NRPN", 28, 0...16383, 0, .generic),
      whole("parameter", "Target's Parameter (-1: none)", 29, -1...16_777_215, -1, .generic),
      number("ramp", "Ramp of the Parameter", 30, 0...10_000, 0, .milliseconds),
      number("parameterLow", "Parameter's Lowest Part", 31, 0...1, 0, .generic),
      number("parameterHigh", "Parameter's Highest Part", 32, 0...1, 1, .generic),
    ]
  }
}

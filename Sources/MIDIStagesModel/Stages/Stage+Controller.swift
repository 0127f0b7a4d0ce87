// The parameters of the stage that turns one control into another.

import MIDIStages
import UnitModel

extension MIDIChainLayout.Stage {
  var controllerParameters: [ParameterNode] {
    [
      channelGroup,
      choice(
        "source", "Source", ControllerParameter.source,
        [
          "Off", "Controller", "Channel Pressure", "Key Pressure", "Bend", "14-bit Controller",
          "NRPN",
        ]),
      number(
        "sourceController", "Source's Controller", ControllerParameter.sourceController, 0...119, 1,
        .midiController),
      choice(
        "target", "Target", ControllerParameter.target,
        [
          "Controller", "Channel Pressure", "Bend", "14-bit Controller", "NRPN", "Parameter",
        ]),
      number(
        "targetController", "Target's Controller", ControllerParameter.targetController, 0...119,
        11, .midiController),
      number("inputLow", "Lowest Input", ControllerParameter.inputLow, 0...127, 0, .midiController),
      number(
        "inputHigh", "Highest Input", ControllerParameter.inputHigh, 0...127, 127, .midiController),
      number(
        "outputLow", "Lowest Output", ControllerParameter.outputLow, 0...127, 0, .midiController),
      number(
        "outputHigh", "Highest Output", ControllerParameter.outputHigh, 0...127, 127,
        .midiController),
      choice(
        "curve", "Curve", ControllerParameter.curve, ["Linear", "Exponential", "Logarithmic"]),
      number("shape", "Shape of the Curve", ControllerParameter.shape, 0.1...10, 3, .generic),
      number("keep", "Keep the Source", ControllerParameter.keep, 0...1, 0, .boolean),
      whole("sourceNRPN", "Source's NRPN", ControllerParameter.sourceNRPN, 0...16383, 0, .generic),
      whole("targetNRPN", "Target's NRPN", ControllerParameter.targetNRPN, 0...16383, 0, .generic),
      whole(
        "parameter", "Target's Parameter (-1: none)", ControllerParameter.parameter,
        -1...16_777_215, -1, .generic),
      number(
        "ramp", "Ramp of the Parameter", ControllerParameter.ramp, 0...10_000, 0, .milliseconds),
      number(
        "parameterLow", "Parameter's Lowest Part", ControllerParameter.partLow, 0...1, 0, .generic),
      number(
        "parameterHigh", "Parameter's Highest Part", ControllerParameter.partHigh, 0...1, 1,
        .generic),
    ]
  }
}

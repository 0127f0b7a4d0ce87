// The parameters of the stage that passes some MIDI and keeps the rest.

import MIDIStages
import UnitModel

extension MIDIChainLayout.Stage {
  var filterParameters: [ParameterNode] {
    [
      channelGroup,
      number("keyLow", "Lowest Key", FilterParameter.keyLow, 0...127, 0, .midiNoteNumber),
      number("keyHigh", "Highest Key", FilterParameter.keyHigh, 0...127, 127, .midiNoteNumber),
      whole("velocityLow", "Lowest Velocity", FilterParameter.velocityLow, 1...127, 1, .generic),
      whole(
        "velocityHigh", "Highest Velocity", FilterParameter.velocityHigh, 1...127, 127, .generic),
      number(
        "controllerLow", "Lowest Controller", FilterParameter.controllerLow, 0...127, 0,
        .midiController),
      number(
        "controllerHigh", "Highest Controller", FilterParameter.controllerHigh, 0...127, 127,
        .midiController),
      ParameterGroup(
        identifier: "pass", name: "Pass",
        children: [
          number("note", "Notes", FilterParameter.passNote, 0...1, 1, .boolean),
          number("controller", "Controllers", FilterParameter.passController, 0...1, 1, .boolean),
          number("bend", "Pitch Bend", FilterParameter.passBend, 0...1, 1, .boolean),
          number("pressure", "Pressure", FilterParameter.passPressure, 0...1, 1, .boolean),
          number("program", "Program Changes", FilterParameter.passProgram, 0...1, 1, .boolean),
          number(
            "sysex", "System Exclusive", FilterParameter.passSystemExclusive, 0...1, 1, .boolean),
          number(
            "system", "System Common and Realtime", FilterParameter.passSystem, 0...1, 1, .boolean),
        ]),
    ]
  }
}

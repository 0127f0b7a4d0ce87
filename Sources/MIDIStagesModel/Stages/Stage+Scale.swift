// The parameters of the stage that keeps notes within a scale.

import MIDIStages
import UnitModel

extension MIDIChainLayout.Stage {
  var scaleParameters: [ParameterNode] {
    [
      channelGroup,
      choice(
        "root", "Root", ScaleParameter.root, NoteName.sharps),
      choice(
        "scale", "Scale", ScaleParameter.scale,
        [
          "Chromatic", "Major", "Minor", "Harmonic Minor", "Melodic Minor", "Dorian", "Phrygian",
          "Lydian", "Mixolydian", "Locrian", "Major Pentatonic", "Minor Pentatonic", "Blues",
          "Whole Tone", "Own",
        ]),
      choice("mode", "Outside the Scale", ScaleParameter.mode, ["Nearest", "Up", "Down", "Drop"]),
      ParameterGroup(
        identifier: "degrees", name: "Own Scale",
        children: (0..<ScaleParameter.degreeCount).map {
          number(
            "\($0 + 1)", $0 == 0 ? "Root" : "Root + \($0)", ScaleParameter.degrees, plus: $0, 0...1,
            1, .boolean)
        }),
    ]
  }
}

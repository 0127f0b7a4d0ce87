// The parameters of the stage that keeps notes within a scale.

import MIDIKernel
import UnitModel

extension MIDIChainLayout.Stage {
  /// The indices here are those of the stage's `setParameter`, and in order.
  var scaleParameters: [ParameterNode] {
    [
      channelGroup(name: "Channels"),
      choice(
        "root", "Root", 16, ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]),
      choice(
        "scale", "Scale", 17,
        [
          "Chromatic", "Major", "Minor", "Harmonic Minor", "Melodic Minor", "Dorian", "Phrygian",
          "Lydian", "Mixolydian", "Locrian", "Major Pentatonic", "Minor Pentatonic", "Blues",
          "Whole Tone", "Own",
        ]),
      choice("mode", "Outside the Scale", 18, ["Nearest", "Up", "Down", "Drop"]),
      ParameterGroup(
        identifier: "degrees", name: "Own Scale",
        children: (0..<12).map {
          number(
            "\($0 + 1)", $0 == 0 ? "Root" : "Root + \($0)", UInt64(19 + $0), 0...1, 1, .boolean)
        }),
    ]
  }
}

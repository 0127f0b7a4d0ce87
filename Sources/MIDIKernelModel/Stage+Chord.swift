// The parameters of the stage that names chords and plays them.

import MIDIKernel
import UnitModel

extension MIDIChainLayout.Stage {
  /// The indices here are those of the stage's `setParameter`, and in order; the four before the last are what it
  /// finds.
  var chordParameters: [ParameterNode] {
    let qualities = ChordQuality.all.map(\.name)
    return [
      channelGroup(name: "Channels"),
      choice("play", "Chord of a Key", 16, ["Off"] + qualities),
      number("inversion", "Inversion", 17, 0...6, 0, .indexed),
      choice("spread", "Spread", 18, ["Close", "Open", "Wide"]),
      number("velocity", "Added Notes' Velocity", 19, 0...200, 100, .percent),
      choice("root", "Root", 20, ["None"] + NoteSpelling.sharpNames, flags: [.readable]),
      choice("quality", "Quality", 21, ["None"] + qualities, flags: [.readable]),
      choice("bass", "Bass", 22, ["None"] + NoteSpelling.sharpNames, flags: [.readable]),
      choice(
        "position", "Position", 23,
        ["Root", "First Inversion", "Second Inversion", "Third Inversion", "Slash Bass"],
        flags: [.readable]),
      choice("spelling", "Names of Black Keys", 24, ["Automatic", "Sharps", "Flats"]),
    ]
  }
}

// The parameters of the stage that names chords and plays them.

import MIDIStages
import UnitModel

extension MIDIChainLayout.Stage {
  var chordParameters: [ParameterNode] {
    let qualities = ChordQuality.all.map(\.name)
    return [
      channelGroup,
      choice("play", "Chord of a Key", ChordParameter.play, ["Off"] + qualities),
      number("inversion", "Inversion", ChordParameter.inversion, 0...6, 0, .indexed),
      choice("spread", "Spread", ChordParameter.spread, ["Close", "Open", "Wide"]),
      number("velocity", "Added Notes' Velocity", ChordParameter.velocity, 0...200, 100, .percent),
      choice(
        "root", "Root", ChordParameter.root, ["None"] + NoteName.sharps, flags: [.readable]),
      choice(
        "quality", "Quality", ChordParameter.quality, ["None"] + qualities, flags: [.readable]),
      choice(
        "bass", "Bass", ChordParameter.bass, ["None"] + NoteName.sharps, flags: [.readable]),
      choice(
        "position", "Position", ChordParameter.position,
        ["Root", "First Inversion", "Second Inversion", "Third Inversion", "Slash Bass"],
        flags: [.readable]),
      choice(
        "spelling", "Names of Black Keys", ChordParameter.spelling,
        ["Automatic", "Sharps", "Flats"]),
    ]
  }
}

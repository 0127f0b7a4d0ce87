// Configurations shared by tests of sessions.

public enum Configurations {
  /// A filter with an audible effect: its cutoff is in the middle of the spectrum.
  public static func filter(name: String = "filter", connections: String = "") -> String {
    """
    [client]
    name = "\(name)"

    [[unit]]
    id = "lowpass"
    component = "filter"
    preset = "Prominent"
    parameters = { cutoff = 900.0 }

    \(connections)
    """
  }

  /// A sampler with the id `set` and two entries. Writes their SoundFonts to `folder`: a.sf2, and
  /// b.sf2, which is 12 dB softer.
  public static func liveSet(in folder: TemporaryDirectory) throws -> String {
    for (name, level) in [("a.sf2", 0.0), ("b.sf2", 12)] {
      let zone = SoundFontMaker.Zone(sample: .constant(), attenuationDecibels: level)
      try SoundFontMaker(presets: [.init(name: "One", zones: [zone])]).write(to: folder.file(name))
    }
    return """
      [[unit]]
      id = "set"
      component = "sampler"
      soundfont = "a.sf2"
      [[unit.entry]]
      number = 0
      name = "zero"
      parameters = { pan = 10 }
      [[unit.entry]]
      number = 1
      name = "one"
      soundfont = "b.sf2"
      parameters = { pan = 20, gain = -5 }

      """
  }

  public static func connection(from source: String, to destination: String) -> String {
    "[[connect]]\nfrom = \"\(source)\"\nto = \"\(destination)\"\n"
  }
}

// SoundFonts that several test targets share.

extension SoundFontMaker {
  /// Bank 0: 0 a sine, 1 a constant on the left, 2 a click, 3 a constant with a long release.
  /// Bank 1: 0 a constant on the right. Bank 128: 0 a constant of fixed pitch, soft.
  public static var rig: SoundFontMaker {
    SoundFontMaker(
      name: "Rig",
      presets: [
        Preset(program: 0, name: "Sine", zones: [Zone(sample: .sine())]),
        Preset(
          program: 1, name: "Left",
          zones: [Zone(sample: .constant(), panPercent: -50, tracksKey: false)]),
        Preset(program: 2, name: "Click", zones: [Zone(sample: .click(), tracksKey: false)]),
        Preset(
          program: 3, name: "Long",
          zones: [Zone(sample: .constant(), releaseSeconds: 2, tracksKey: false)]),
        Preset(
          bank: 1, program: 0, name: "Right",
          zones: [Zone(sample: .constant(), panPercent: 50, tracksKey: false)]),
        Preset(
          bank: 128, program: 0, name: "Kit",
          zones: [Zone(sample: .sine(periodFrames: 50), attenuationDecibels: 12)]),
      ])
  }

  /// One preset, a sine of another period.
  public static func sine(periodFrames: Int) -> SoundFontMaker {
    SoundFontMaker(presets: [
      Preset(name: "Other", zones: [Zone(sample: .sine(periodFrames: periodFrames))])
    ])
  }

  /// One preset, `Endless`: a loud constant that sounds until the note's release has ended.
  public static func endless(releaseSeconds: Double = 0) -> SoundFontMaker {
    let zone = Zone(
      sample: .constant(), releaseSeconds: releaseSeconds, attenuationDecibels: 0, tracksKey: false)
    return SoundFontMaker(presets: [Preset(name: "Endless", zones: [zone])])
  }
}

// The factory presets of the equalizer.

import DSP

/// A factory preset: as many bands as it needs; further bands of the unit are flat.
struct EQPreset {
  let name: String
  let bands: [Equalizer.Band]

  /// All presets, ordered by number of bands, so that those that fit a unit are the first ones.
  static let all = [
    EQPreset("Flat", []),
    EQPreset("Rumble Filter", [band(.highPass, 40)]),
    EQPreset("Bass Boost", [band(.lowShelf, 110, 6)]),
    EQPreset("Treble Boost", [band(.highShelf, 6000, 5)]),
    EQPreset("Hum Notch 50 Hz", [band(.bandStop, 50, 0, 0.1)]),
    EQPreset("Hum Notch 60 Hz", [band(.bandStop, 60, 0, 0.1)]),
    EQPreset("Loudness", [band(.lowShelf, 90, 7), band(.highShelf, 9000, 4)]),
    EQPreset("Telephone", [band(.highPass, 300), band(.lowPass, 3400)]),
    EQPreset(
      "Clear Voice",
      [band(.highPass, 90), band(.parametric, 300, -3, 1.2), band(.parametric, 3500, 4, 1.5)]),
    EQPreset(
      "Acoustic Guitar",
      [
        band(.highPass, 75), band(.parametric, 180, -3, 1), band(.parametric, 4500, 2, 1.5),
        band(.highShelf, 10_000, 3),
      ]),
  ]

  private init(_ name: String, _ bands: [Equalizer.Band]) {
    self.name = name
    self.bands = bands
  }

  private static func band(
    _ kind: EqualizerBandKind, _ hertz: Double, _ decibels: Double = 0, _ octaves: Double = 1
  ) -> Equalizer.Band {
    var band = Equalizer.Band()
    band.kind = kind
    band.frequencyHertz = hertz
    band.gainDecibels = decibels
    band.bandwidthOctaves = octaves
    return band
  }

  /// Returns the values for a unit with `bandCount` bands.
  func values(bandCount: Int) -> [String: Float] {
    var values: [String: Float] = ["gain": 0]
    for number in 0..<bandCount {
      let group = "bands.\(number + 1)"
      values["\(group).bypass"] = 0
      guard number < bands.count else {
        values["\(group).kind"] = 0
        values["\(group).gain"] = 0
        continue
      }
      let band = bands[number]
      values["\(group).kind"] = Float(EqualizerBandKind.allCases.firstIndex(of: band.kind) ?? 0)
      values["\(group).frequency"] = Float(band.frequencyHertz)
      values["\(group).gain"] = Float(band.gainDecibels)
      values["\(group).bandwidth"] = Float(band.bandwidthOctaves)
    }
    return values
  }
}

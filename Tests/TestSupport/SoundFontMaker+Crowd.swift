// Small SoundFonts that need much memory or time.

extension SoundFontMaker {
  /// A SoundFont of one sample. All zones of its presets play the first instrument, which has
  /// `zonesPerInstrument` zones; the other instruments are empty.
  ///
  /// - Parameter keys: the keys of the instrument's zones; none if `low` is above `high`.
  public static func crowd(
    presets: Int = 1, zonesPerPreset: Int = 1, instruments: Int = 1, zonesPerInstrument: Int = 1,
    modulatorsPerZone: Int = 0, keys: (low: UInt8, high: UInt8) = (0, 127)
  ) -> [UInt8] {
    var (phdr, pbag, pgen) = (ByteWriter(), ByteWriter(), ByteWriter())
    for preset in 0...presets {
      phdr.text("Crowd", count: 20)
      phdr.little(UInt16(preset % 128))
      phdr.little(UInt16(preset / 128 % 128))
      phdr.little(UInt16(truncatingIfNeeded: preset * zonesPerPreset))
      phdr.append([UInt8](repeating: 0, count: 12))
    }
    for zone in 0...presets * zonesPerPreset {
      pbag.little(UInt16(truncatingIfNeeded: zone))
      pbag.little(UInt16(0))
      pgen.little(Generator.instrument)
      pgen.little(UInt16(0))
    }
    var (inst, ibag, igen, imod) = (ByteWriter(), ByteWriter(), ByteWriter(), ByteWriter())
    for instrument in 0...instruments {
      inst.text("Crowd", count: 20)
      inst.little(UInt16(truncatingIfNeeded: min(instrument, 1) * zonesPerInstrument))
    }
    for zone in 0...zonesPerInstrument {
      ibag.little(UInt16(truncatingIfNeeded: 2 * zone))
      ibag.little(UInt16(truncatingIfNeeded: modulatorsPerZone * zone))
      igen.little(Generator.keyRange)
      igen.append([keys.low, keys.high])
      igen.little(Generator.sample)
      igen.little(UInt16(0))
    }
    imod.append([UInt8](repeating: 0, count: 10 * (modulatorsPerZone * zonesPerInstrument + 1)))
    // The terminal record of the list.
    igen.append([0, 0, 0, 0])
    let one = SoundFontMaker(presets: [Preset(name: "", zones: [Zone(sample: .click())])])
    return one.bytes(
      records: [
        ("phdr", phdr.bytes), ("pbag", pbag.bytes),
        ("pmod", [UInt8](repeating: 0, count: 10)), ("pgen", pgen.bytes), ("inst", inst.bytes),
        ("ibag", ibag.bytes), ("imod", imod.bytes), ("igen", Array(igen.bytes.dropLast(8))),
      ])
  }
}

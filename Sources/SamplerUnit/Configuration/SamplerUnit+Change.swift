// Changes of a sampler by its session's file.

public import Configuration

extension SamplerUnit: ChangeableUnit {
  /// The keys of SoundFonts, bank and program; none with a live set, which needs a restart.
  public static func changeableKeys(_ keys: UnitKeys) -> [String] {
    keys["entry"] == nil ? ["soundfont", "soundfonts", "bank", "program"] : []
  }

  public func change(
    from former: (keys: UnitKeys, context: ConfigurationContext),
    to new: (keys: UnitKeys, context: ConfigurationContext)
  ) throws(ConfigurationProblem) -> (@Sendable () async throws -> Void)? {
    let (before, after) = (SamplerConfiguration(former.keys), SamplerConfiguration(new.keys))
    guard after.entries.isEmpty else { return nil }
    let fonts = try Self.stack(after.soundFonts, new.context)
    let (bank, program) = (after.bank?.value ?? 0, after.program?.value ?? 0)
    let isSame =
      (try? Self.stack(before.soundFonts, former.context)) == fonts
      && before.bank?.value ?? 0 == bank && before.program?.value ?? 0 == program
    if isSame || fonts.isEmpty { return nil }
    return { try await self.load(soundFonts: fonts, bank: bank, program: program) }
  }
}

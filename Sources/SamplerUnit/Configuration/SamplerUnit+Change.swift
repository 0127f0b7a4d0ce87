// Changes of a sampler by its session's file.

public import Configuration

extension SamplerUnit: ChangeableUnit {
  /// The keys of SoundFonts and of the sound; none with a live set, which needs a restart.
  public static func changeableKeys(_ keys: UnitKeys) -> [String] {
    keys["entry"] == nil ? ["soundfont", "soundfonts", "sound", "bank", "program"] : []
  }

  public func change(
    from former: (keys: UnitKeys, context: ConfigurationContext),
    to new: (keys: UnitKeys, context: ConfigurationContext)
  ) throws(ConfigurationProblem) -> (@Sendable () async throws -> Void)? {
    let (before, after) = (SamplerConfiguration(former.keys), SamplerConfiguration(new.keys))
    guard after.entries.isEmpty else { return nil }
    let fonts = try Self.stack(after.soundFonts, new.context)
    func choice(_ keys: SamplerConfiguration) -> [String] {
      [keys.sound?.value ?? "", "\(keys.bank?.value ?? 0)", "\(keys.program?.value ?? 0)"]
    }
    let isSame =
      (try? Self.stack(before.soundFonts, former.context)) == fonts
      && choice(before) == choice(after)
    if isSame || fonts.isEmpty { return nil }
    return { try await self.load(after, from: fonts, nil) }
  }
}

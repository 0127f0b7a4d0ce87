// The SoundFont files named in a configuration.

public import Configuration
import Files
public import FoundationEssentials
import Glibc

extension SamplerUnit: FilePlayingUnit {
  public static func files(
    of keys: UnitKeys, _ context: ConfigurationContext
  ) -> [ConfiguredFile] {
    let configuration = SamplerConfiguration(keys)
    let fonts = configuration.soundFonts + configuration.entries.flatMap(\.soundFonts)
    return fonts.compactMap { font in
      guard let (url, remark) = try? context.find(font) else { return nil }
      return ConfiguredFile("a SoundFont", url, remark: remark, at: font.file.location)
    }
  }

  public static func rename(
    _ keys: inout UnitKeys, from context: ConfigurationContext, to file: URL,
    naming name: (URL) -> String?, addsSums: Bool
  ) throws(ConfigurationProblem) {
    var configuration = SamplerConfiguration(keys)
    try rename(&configuration.soundFonts, context, file, name, addsSums)
    for index in configuration.entries.indices {
      try rename(&configuration.entries[index].soundFonts, context, file, name, addsSums)
    }
    configuration.write(to: &keys)
  }

  private static func rename(
    _ fonts: inout [SoundFontConfiguration], _ context: ConfigurationContext, _ file: URL,
    _ name: (URL) -> String?, _ addsSums: Bool
  ) throws(ConfigurationProblem) {
    let locator = SoundFontLocator(environment: context.environment)
    for index in fonts.indices {
      // The next start reports a file that cannot be found.
      guard let url = try? context.find(fonts[index]).url else { continue }
      fonts[index].file = Located(
        name(url) ?? locator.name(of: url, written: fonts[index].file.value, beside: file),
        at: .nowhere)
      guard addsSums else { continue }
      do throws(SystemError) {
        let digest = try FileDigest(path: url.path)
        fonts[index].size = Located(digest.size, at: .nowhere)
        fonts[index].sha256 = Located(digest.sha256, at: .nowhere)
      } catch {
        throw ConfigurationProblem(
          "cannot read \(printable(url.path, 4096)): \(error)", at: .nowhere)
      }
    }
  }
}

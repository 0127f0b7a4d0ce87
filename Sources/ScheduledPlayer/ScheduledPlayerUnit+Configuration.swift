// The player's own keys in configurations.

public import Configuration
public import Foundation
import MediaFiles
import UnitModel

extension ScheduledPlayerUnit: FileNamingUnit {
  public static var configurationKeys: [ConfigurationKey] { ["file", "stream"] }

  public static func problems(in keys: UnitKeys) -> [ConfigurationProblem] {
    var problems = ProblemCollector()
    if let value = keys["file"] {
      _ = problems.attempt { () throws(ConfigurationProblem) in try value.name("file") }
    }
    if let value = keys["stream"] {
      _ = problems.attempt { () throws(ConfigurationProblem) in try value.boolean("stream") }
    }
    return problems.problems
  }

  public func configure(
    _ configuration: UnitConfiguration, _ context: ConfigurationContext
  ) async throws(ConfigurationProblem) {
    guard let value = configuration.keys["file"] else {
      throw ConfigurationProblem(
        "a player without a file plays nothing", accepted: "file = \"SOUND.wav\"",
        at: configuration.component.location)
    }
    let url = context.url(ofAudioFile: try value.name("file").value)
    let streams = try configuration.keys["stream"]?.boolean("stream").value
    do throws(PlaybackError) {
      try setContent(contentsOf: url, streams: streams)
    } catch { throw ConfigurationProblem(error.description, at: value.location) }
  }

  public static func files(
    of keys: UnitKeys, _ context: ConfigurationContext
  ) -> [ConfiguredFile] {
    guard let value = keys["file"], let name = try? value.name("file") else { return [] }
    let url = context.url(ofAudioFile: name.value)
    guard FileManager.default.fileExists(atPath: url.path) else { return [] }
    return [ConfiguredFile("an audio file", url, at: name.location)]
  }

  public static func rename(
    _ keys: inout UnitKeys, from context: ConfigurationContext, to file: URL,
    naming name: (URL) -> String?, addsSums: Bool
  ) throws(ConfigurationProblem) {
    guard let value = keys["file"] else { return }
    let url = context.url(ofAudioFile: try value.name("file").value)
    let folder = file.deletingLastPathComponent().standardizedFileURL.path + "/"
    let path = url.standardizedFileURL.path
    let written = path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
    keys.set("file", to: ConfigurationValue(.string(name(url) ?? written)))
  }
}

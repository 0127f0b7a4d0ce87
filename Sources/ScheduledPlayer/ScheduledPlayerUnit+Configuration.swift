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
    [keys.file("file", "an audio file", context)].compactMap(\.self)
  }

  public static func rename(
    _ keys: inout UnitKeys, from context: ConfigurationContext, to file: URL,
    naming name: (URL) -> String?, addsSums: Bool
  ) throws(ConfigurationProblem) {
    try keys.renameFile("file", from: context, to: file, naming: name)
  }
}

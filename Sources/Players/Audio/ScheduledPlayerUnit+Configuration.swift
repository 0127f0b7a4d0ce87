// The player's keys in configurations.

public import Configuration
public import FoundationEssentials
import Glibc
import MediaFiles
import UnitModel

extension ScheduledPlayerUnit: FileNamingUnit {
  public static var configurationKeys: [ConfigurationKey] { ["file", "stream", "channels"] }

  public static func problems(in keys: UnitKeys) -> [ConfigurationProblem] {
    var problems = ProblemCollector()
    if let value = keys["file"] {
      _ = problems.attempt { () throws(ConfigurationProblem) in try value.name("file") }
    }
    if let value = keys["stream"] {
      _ = problems.attempt { () throws(ConfigurationProblem) in try value.boolean("stream") }
    }
    if let value = keys["channels"] {
      _ = problems.attempt { () throws(ConfigurationProblem) in
        guard keys["file"] == nil else {
          throw ConfigurationProblem(
            "'channels' beside 'file', which says how many there are", accepted: "one of them",
            at: value.location)
        }
        _ = try value.integer("channels", in: channelCounts)
      }
    }
    return problems.problems
  }

  public static func component(
    _ component: Component, for keys: UnitKeys
  ) throws(ConfigurationProblem) -> Component {
    guard let value = keys["channels"] else { return component }
    return self.component(channels: try value.integer("channels", in: channelCounts).value)
  }

  public func configure(
    _ configuration: UnitConfiguration, _ context: ConfigurationContext
  ) async throws(ConfigurationProblem) {
    guard let value = configuration.keys["file"] else {
      // A program schedules sounds itself; they are not in the configuration.
      if configuration.keys["channels"] != nil { return }
      throw ConfigurationProblem(
        "a player without a file plays nothing", accepted: "file = \"SOUND.wav\"",
        at: configuration.component.location)
    }
    let url = context.url(ofAudioFile: try value.name("file").value)
    let streams = try configuration.keys["stream"]?.boolean("stream").value
    do throws(PlaybackError) {
      try setContent(contentsOf: url, streams: streams)
    } catch {
      let isOfFile = value.location.file == context.file?.relativePath
      throw ConfigurationProblem(
        error.description,
        accepted: isOfFile
          ? "another file, here or by --set \(configuration.id.value)/file=FILE" : nil,
        at: value.location)
    }
  }

  /// Describes the content's file, or the channel count without one. Parameters hold the rest.
  public func describe(_ keys: inout UnitKeys, _ context: ConfigurationContext) -> Bool {
    let file = schedule.withLock { $0.contentFile }
    keys.describe("file", asAudioFile: file?.url, context)
    keys.set("stream", to: file?.streams.map { ConfigurationValue(.boolean($0)) })
    if file == nil {
      keys.set("channels", to: ConfigurationValue(.integer(outputBusses[0].format.channelCount)))
    } else {
      keys.set("channels", to: nil)
    }
    return settings(forDocument: true).isEmpty
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

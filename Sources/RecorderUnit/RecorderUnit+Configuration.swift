// The recorder's keys in configurations.

public import Configuration
import FoundationEssentials
import MediaFiles
import UnitModel

extension RecorderUnit: ConfigurableUnit {
  public static var configurationKeys: [ConfigurationKey] { ["file", "encoding"] }

  public static func problems(in keys: UnitKeys) -> [ConfigurationProblem] {
    var problems = ProblemCollector()
    for name in ["file", "encoding"] {
      guard let value = keys[name] else { continue }
      _ = problems.attempt { () throws(ConfigurationProblem) in try value.name(name) }
    }
    return problems.problems
  }

  public func configure(
    _ configuration: UnitConfiguration, _ context: ConfigurationContext
  ) async throws(ConfigurationProblem) {
    guard let value = configuration.keys["file"] else {
      throw ConfigurationProblem(
        "a recorder without a file records nothing", accepted: "file = \"TAKE.wav\"",
        at: configuration.component.location)
    }
    let encoding = try Self.encoding(configuration.keys["encoding"])
    let url = context.url(ofAudioFile: try value.name("file").value)
    do throws(AudioFileError) { try setTarget(url, encoding: encoding) } catch {
      throw ConfigurationProblem(error.description, at: value.location)
    }
    let folder = url.deletingLastPathComponent().path
    guard FileManager.default.isWritableFile(atPath: folder) else {
      throw ConfigurationProblem(
        "no file can be made in \(printable(folder, 4096))", accepted: "a folder of one's own",
        at: value.location)
    }
  }

  /// Describes the file of takes and its encoding. Parameters hold the rest.
  public func describe(_ keys: inout UnitKeys, _ context: ConfigurationContext) -> Bool {
    let target = target.withLock { $0 }
    keys.describe("file", asAudioFile: target?.url, context)
    if case (let url, .audio(let format))? = target,
      let usual = try? AudioFileFormat(fileName: url.lastPathComponent).encoding
    {
      keys.describe(
        "encoding", as: .string(format.encoding.rawValue), usual: .string(usual.rawValue))
    }
    return settings(forDocument: true).isEmpty
  }

  private static func encoding(
    _ value: ConfigurationValue?
  ) throws(ConfigurationProblem) -> AudioFileFormat.Encoding? {
    guard let value else { return nil }
    let name = try value.name("encoding")
    guard let encoding = AudioFileFormat.Encoding(rawValue: name.value) else {
      throw .unknown(
        "encoding", name.value, in: "a recorder",
        accepted: AudioFileFormat.Encoding.allCases.map(\.rawValue), at: name.location)
    }
    return encoding
  }
}

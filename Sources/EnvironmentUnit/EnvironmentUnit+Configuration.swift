// The environment's own keys in configurations.

public import Configuration
public import FoundationEssentials
import Glibc
public import UnitModel

extension EnvironmentUnit: InputForEachSourceUnit, FileNamingUnit {
  public static var configurationKeys: [ConfigurationKey] { ["inputs", "ports", "hrtf"] }

  public static func problems(in keys: UnitKeys) -> [ConfigurationProblem] {
    var problems = ProblemCollector()
    _ = EnvironmentLayout(keys, &problems)
    if let value = keys["hrtf"] {
      _ = problems.attempt { () throws(ConfigurationProblem) in try value.name("hrtf") }
    }
    return problems.problems
  }

  public static func component(
    _ component: Component, for keys: UnitKeys
  ) throws(ConfigurationProblem) -> Component {
    var problems = ProblemCollector()
    let layout = EnvironmentLayout(keys, &problems)
    if let problem = problems.problems.first { throw problem }
    return self.component(layout)
  }

  /// Returns the number of inputs with ports.
  public static func reservedInputs(_ keys: UnitKeys) -> Int {
    var problems = ProblemCollector()
    return EnvironmentLayout(keys, &problems).ports.count
  }

  public func configure(
    _ configuration: UnitConfiguration, _ context: ConfigurationContext
  ) async throws(ConfigurationProblem) {
    guard let value = configuration.keys["hrtf"] else { return }
    let url = context.url(ofAudioFile: try value.name("hrtf").value)
    do throws(HeadResponseError) {
      try setHeadResponses(path: url.path)
    } catch {
      throw ConfigurationProblem(error.description, at: value.location)
    }
  }

  /// Describes the layout and the responses; parameters cover the rest.
  public func describe(_ keys: inout UnitKeys, _ context: ConfigurationContext) -> Bool {
    let usual = EnvironmentLayout()
    func list(_ ports: [Int]) -> ConfigurationValue.Content {
      .array(ports.map { ConfigurationValue(.integer($0)) })
    }
    keys.describe("inputs", as: .integer(layout.inputs), usual: .integer(usual.inputs))
    keys.describe("ports", as: list(layout.ports), usual: list(usual.ports))
    if keys["hrtf"] != nil || headResponsePath != HeadResponseFile.defaultPath {
      keys.describe("hrtf", asAudioFile: URL(fileURLWithPath: headResponsePath), context)
    }
    return settings(forDocument: true).isEmpty
  }

  public static func files(
    of keys: UnitKeys, _ context: ConfigurationContext
  ) -> [ConfiguredFile] {
    [keys.file("hrtf", "a SOFA file", context)].compactMap(\.self)
  }

  public static func rename(
    _ keys: inout UnitKeys, from context: ConfigurationContext, to file: URL,
    naming name: (URL) -> String?, addsSums: Bool
  ) throws(ConfigurationProblem) {
    try keys.renameFile("hrtf", from: context, to: file, naming: name)
  }
}

extension EnvironmentLayout {
  /// Reads keys, and leaves out those with a problem.
  init(_ keys: UnitKeys, _ problems: inout ProblemCollector) {
    let inputs = keys["inputs"].flatMap { value in
      problems.attempt { () throws(ConfigurationProblem) in
        try value.integer("inputs", in: Self.inputCounts).value
      }
    }
    let plain = EnvironmentLayout(inputs: inputs ?? EnvironmentLayout().inputs)
    let ports = keys["ports"].flatMap { value in
      problems.attempt { () throws(ConfigurationProblem) in try plain.ports(value) }
    }
    self.init(inputs: plain.inputs, ports: ports ?? [])
  }

  private func ports(_ value: ConfigurationValue) throws(ConfigurationProblem) -> [Int] {
    let accepted = "1, which is placed, and 2, which are passed through"
    let values = try value.array("ports", of: "channel counts: \(accepted)")
    guard values.count <= inputs else {
      throw ConfigurationProblem(
        "'ports' has \(values.count) inputs", accepted: "at most \(inputs), as 'inputs' says",
        at: value.location)
    }
    var ports: [Int] = []
    for value in values {
      guard case .integer(let channels) = value.content else {
        _ = try value.integer("ports", in: Self.channelCounts)
        continue
      }
      guard Self.channelCounts.contains(channels) else {
        throw ConfigurationProblem(
          "an environment takes no input of \(channels) channels", accepted: accepted,
          at: value.location)
      }
      ports.append(channels)
    }
    return ports
  }
}

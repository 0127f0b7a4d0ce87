// The mixer's own keys in configurations.

public import Configuration
public import UnitModel

extension MixerUnit: InputForEachSourceUnit {
  public static var configurationKeys: [ConfigurationKey] {
    ["inputs", "channels", "ports", "mono-at-unity"]
  }

  public static func problems(in keys: UnitKeys) -> [ConfigurationProblem] {
    var problems = ProblemCollector()
    _ = MixerLayout(keys, &problems)
    return problems.problems
  }

  public static func component(
    _ component: Component, for keys: UnitKeys
  ) throws(ConfigurationProblem) -> Component {
    var problems = ProblemCollector()
    let layout = MixerLayout(keys, &problems)
    if let problem = problems.problems.first { throw problem }
    return self.component(layout)
  }

  /// Returns the number of inputs with ports.
  public static func reservedInputs(_ keys: UnitKeys) -> Int {
    var problems = ProblemCollector()
    return MixerLayout(keys, &problems).ports.count
  }

  public func configure(
    _ configuration: UnitConfiguration, _ context: ConfigurationContext
  ) async throws(ConfigurationProblem) {}

  /// Describes the layout; parameters cover the rest.
  public func describe(_ keys: inout UnitKeys, _ context: ConfigurationContext) -> Bool {
    let usual = MixerLayout()
    func list(_ ports: [Int]) -> ConfigurationValue.Content {
      .array(ports.map { ConfigurationValue(.integer($0)) })
    }
    keys.describe("inputs", as: .integer(layout.inputs), usual: .integer(usual.inputs))
    keys.describe("channels", as: .integer(layout.channels), usual: .integer(usual.channels))
    keys.describe("ports", as: list(layout.ports), usual: list(usual.ports))
    keys.describe(
      "mono-at-unity", as: .boolean(layout.isMonoAtUnity), usual: .boolean(usual.isMonoAtUnity))
    return settings(forDocument: true).isEmpty
  }
}

extension MixerLayout {
  /// Reads keys, and leaves out those with a problem.
  init(_ keys: UnitKeys, _ problems: inout ProblemCollector) {
    func integer(_ key: String, in range: ClosedRange<Int>) -> Int? {
      guard let value = keys[key] else { return nil }
      return problems.attempt { () throws(ConfigurationProblem) in
        try value.integer(key, in: range).value
      }
    }
    let plain = MixerLayout(
      inputs: integer("inputs", in: Self.inputCounts) ?? MixerLayout().inputs,
      channels: integer("channels", in: Self.channelCounts) ?? MixerLayout().channels)
    let ports = keys["ports"].flatMap { value in
      problems.attempt { () throws(ConfigurationProblem) in try plain.ports(value) }
    }
    let isMonoAtUnity = keys["mono-at-unity"].flatMap { value in
      problems.attempt { () throws(ConfigurationProblem) in try value.boolean("mono-at-unity") }
    }
    self.init(
      inputs: plain.inputs, channels: plain.channels, ports: ports ?? plain.ports,
      isMonoAtUnity: isMonoAtUnity?.value ?? plain.isMonoAtUnity)
  }

  private func ports(_ value: ConfigurationValue) throws(ConfigurationProblem) -> [Int] {
    let accepted = inputChannelCounts.map { "\($0)" }.joined(separator: ", ")
    let values = try value.array("ports", of: "channel counts: \(accepted)")
    guard values.count <= inputs else {
      throw ConfigurationProblem(
        "'ports' has \(values.count) inputs", accepted: "at most \(inputs), as 'inputs' says",
        at: value.location)
    }
    var ports: [Int] = []
    for value in values {
      let channels = try value.integer("ports", in: Self.channelCounts)
      guard inputChannelCounts.contains(channels.value) else {
        throw ConfigurationProblem(
          "an input of \(channels.value) channels does not go into a mix of \(self.channels)",
          accepted: accepted, at: channels.location)
      }
      ports.append(channels.value)
    }
    return ports
  }
}

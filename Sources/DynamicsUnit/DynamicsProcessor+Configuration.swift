// The key that configurations have for a compressor, a limiter or a gate.

public import Configuration
public import UnitModel

/// `look-ahead`, in milliseconds.
private enum LookAhead {
  static let key: ConfigurationKey = "look-ahead"

  static func problems(in keys: UnitKeys) -> [ConfigurationProblem] {
    var problems = ProblemCollector()
    _ = problems.attempt { () throws(ConfigurationProblem) in try milliseconds(keys) }
    return problems.problems
  }

  /// Nil where nothing is said.
  static func milliseconds(_ keys: UnitKeys) throws(ConfigurationProblem) -> Double? {
    guard let value = keys[key.name] else { return nil }
    let accepted = "0 to 20, in milliseconds"
    guard case .number(let number) = try value.setting(key.name).value else {
      throw value.wrongType(key.name, mustBe: "a number, \(accepted)")
    }
    guard DynamicsProcessor.lookAheads.contains(number) else {
      throw ConfigurationProblem(
        "'\(key.name)' is out of range: \(number)", accepted: accepted, at: value.location)
    }
    return number
  }
}

extension CompressorUnit: ConfigurableUnit {
  public static var configurationKeys: [ConfigurationKey] { [LookAhead.key] }

  public static func problems(in keys: UnitKeys) -> [ConfigurationProblem] {
    LookAhead.problems(in: keys)
  }

  public static func component(
    _ component: Component, for keys: UnitKeys
  ) throws(ConfigurationProblem) -> Component {
    try LookAhead.milliseconds(keys).map { self.component(lookAhead: $0) } ?? component
  }

  /// The look-ahead is all that its key says, and has been heeded.
  public func configure(
    _ configuration: UnitConfiguration, _ context: ConfigurationContext
  ) throws(ConfigurationProblem) {}
}

extension LimiterUnit: ConfigurableUnit {
  public static var configurationKeys: [ConfigurationKey] { [LookAhead.key] }

  public static func problems(in keys: UnitKeys) -> [ConfigurationProblem] {
    LookAhead.problems(in: keys)
  }

  public static func component(
    _ component: Component, for keys: UnitKeys
  ) throws(ConfigurationProblem) -> Component {
    try LookAhead.milliseconds(keys).map { self.component(lookAhead: $0) } ?? component
  }

  public func configure(
    _ configuration: UnitConfiguration, _ context: ConfigurationContext
  ) throws(ConfigurationProblem) {}
}

extension GateUnit: ConfigurableUnit {
  public static var configurationKeys: [ConfigurationKey] { [LookAhead.key] }

  public static func problems(in keys: UnitKeys) -> [ConfigurationProblem] {
    LookAhead.problems(in: keys)
  }

  public static func component(
    _ component: Component, for keys: UnitKeys
  ) throws(ConfigurationProblem) -> Component {
    try LookAhead.milliseconds(keys).map { self.component(lookAhead: $0) } ?? component
  }

  public func configure(
    _ configuration: UnitConfiguration, _ context: ConfigurationContext
  ) throws(ConfigurationProblem) {}
}

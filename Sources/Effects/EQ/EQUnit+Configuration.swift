// The equalizer's own key in configurations.

public import Configuration
public import UnitModel

extension EQUnit: ConfigurableUnit {
  public static var configurationKeys: [ConfigurationKey] { ["bands"] }

  public static func problems(in keys: UnitKeys) -> [ConfigurationProblem] {
    var problems = ProblemCollector()
    _ = problems.attempt { () throws(ConfigurationProblem) in try bandCount(keys) }
    return problems.problems
  }

  public static func component(
    _ component: Component, for keys: UnitKeys
  ) throws(ConfigurationProblem) -> Component {
    self.component(bandCount: try bandCount(keys))
  }

  /// Does nothing: the component already has the number of bands, the only key.
  public func configure(
    _ configuration: UnitConfiguration, _ context: ConfigurationContext
  ) throws(ConfigurationProblem) {}

  /// Describes the number of bands; parameters cover the rest.
  public func describe(_ keys: inout UnitKeys, _ context: ConfigurationContext) -> Bool {
    keys.describe("bands", as: .integer(bands.count), usual: .integer(Self.defaultBandCount))
    return settings(forDocument: true).isEmpty
  }

  private static func bandCount(_ keys: UnitKeys) throws(ConfigurationProblem) -> Int {
    try keys["bands"]?.integer("bands", in: bandCounts).value ?? defaultBandCount
  }
}

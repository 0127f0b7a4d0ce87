// The configuration key of a compressor, a limiter and a gate.

public import Configuration
public import UnitModel

/// A unit whose key `look-ahead`, in milliseconds, selects its component.
public protocol LookAheadUnit: ConfigurableUnit {
  /// Returns the component whose units have this look-ahead.
  /// - Parameter lookAhead: in milliseconds, 0 to 20.
  /// - Thread: [any]
  static func component(lookAhead: Double) -> Component
}

extension LookAheadUnit {
  public static var configurationKeys: [ConfigurationKey] { ["look-ahead"] }

  public static func problems(in keys: UnitKeys) -> [ConfigurationProblem] {
    var problems = ProblemCollector()
    _ = problems.attempt { () throws(ConfigurationProblem) in try milliseconds(keys) }
    return problems.problems
  }

  public static func component(
    _ component: Component, for keys: UnitKeys
  ) throws(ConfigurationProblem) -> Component {
    try milliseconds(keys).map { self.component(lookAhead: $0) } ?? component
  }

  /// Does nothing: the component already has the look-ahead, the only key.
  public func configure(
    _ configuration: UnitConfiguration, _ context: ConfigurationContext
  ) throws(ConfigurationProblem) {}

  /// Returns the look-ahead in milliseconds; nil if the key is absent.
  private static func milliseconds(_ keys: UnitKeys) throws(ConfigurationProblem) -> Double? {
    let key = "look-ahead"
    guard let value = keys[key] else { return nil }
    let accepted = "0 to 20, in milliseconds"
    guard case .number(let number) = try value.setting(key).value else {
      throw value.wrongType(key, mustBe: "a number, \(accepted)")
    }
    guard DynamicsProcessor.lookAheads.contains(number) else {
      throw ConfigurationProblem(
        "'\(key)' is out of range: \(number)", accepted: accepted, at: value.location)
    }
    return number
  }
}

extension LookAheadUnit where Self: DynamicsProcessor {
  /// Describes the look-ahead; parameters cover the rest.
  public func describe(_ keys: inout UnitKeys, _ context: ConfigurationContext) -> Bool {
    keys.describe("look-ahead", as: .float(lookAhead), usual: .float(Self.usualLookAhead))
    return settings(forDocument: true).isEmpty
  }
}

extension CompressorUnit: LookAheadUnit {}
extension LimiterUnit: LookAheadUnit {}
extension GateUnit: LookAheadUnit {}

// Kinds of units with keys of their own.

import Configuration
import DynamicsUnit
import EQUnit
import MixerUnit
import SamplerUnit
import ScheduledPlayer
import UnitModel

enum TestUnits {
  static let all: [any ConfigurableUnit.Type] = [
    SamplerUnit.self, EQUnit.self, CompressorUnit.self, LimiterUnit.self, GateUnit.self,
    MixerUnit.self, ScheduledPlayerUnit.self, RoomUnit.self,
  ]
}

/// A unit of somebody else.
final class RoomUnit: AudioUnit, ConfigurableUnit, @unchecked Sendable {
  static let configurationKeys: [ConfigurationKey] = [
    "impulse", "wet", ConfigurationKey("wall", hasSections: true),
  ]

  static func problems(in keys: UnitKeys) -> [ConfigurationProblem] {
    var problems = ProblemCollector()
    if let value = keys["impulse"], case .array = value.content {
      _ = problems.attempt { () throws(ConfigurationProblem) in try value.name("impulse") }
    }
    return problems.problems
  }

  func configure(
    _ configuration: UnitConfiguration, _ context: ConfigurationContext
  ) throws(ConfigurationProblem) {}
}

// Kinds of units with their own keys.

import Configuration
import Effects
import MixerUnit
import Players
import SamplerUnit
import UnitModel

enum TestUnits {
  static let all: [Component] = [
    SamplerUnit.component, EQUnit.component, CompressorUnit.component, LimiterUnit.component,
    GateUnit.component,
    MixerUnit.component, ScheduledPlayerUnit.component, RoomUnit.component,
  ]
}

/// A unit of another developer.
final class RoomUnit: AudioUnit, ConfigurableUnit, @unchecked Sendable {
  static let component = Component(
    description: ComponentDescription(type: .effect, subtype: "room", manufacturer: "Test"),
    name: "Room", shortName: "room", unitType: RoomUnit.self
  ) { _, _ in throw Unmade() }

  private struct Unmade: Error {}

  static let configurationKeys: [ConfigurationKey] = [
    "impulse", "wet", "ports", ConfigurationKey("wall", hasSections: true),
  ]

  static func problems(in keys: UnitKeys) -> [ConfigurationProblem] {
    var problems = ProblemCollector()
    if let value = keys["impulse"], case .array = value.content {
      _ = problems.attempt { () throws(ConfigurationProblem) in try value.name("impulse") }
    }
    if let value = keys["ports"] {
      _ = problems.attempt { () throws(ConfigurationProblem) in
        try value.integer("ports", in: 1...2)
      }
    }
    return problems.problems
  }

  func configure(
    _ configuration: UnitConfiguration, _ context: ConfigurationContext
  ) throws(ConfigurationProblem) {}
}

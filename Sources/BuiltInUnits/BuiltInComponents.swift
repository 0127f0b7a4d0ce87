// The built-in components.

import Configuration
import Effects
import EnvironmentUnit
import MIDIEffectUnit
import MixerUnit
import Players
import RecorderUnit
import SamplerUnit
import TimePitchUnit
import UnitModel

/// Components that the command and the engine register on start.
public enum BuiltInComponents {
  public static let all = [
    FilterUnit.component, CombUnit.component, DelayUnit.component, EQUnit.component,
    DistortionUnit.component, CompressorUnit.component, LimiterUnit.component,
    GateUnit.component, ReverbUnit.component, ChorusUnit.component, VarispeedUnit.component,
    TimePitchUnit.component, ToneUnit.component,
    ScheduledPlayerUnit.component, RecorderUnit.component, MixerUnit.component,
    EnvironmentUnit.component, MIDIEffectUnit.component, SamplerUnit.component,
  ]

  /// Components whose units have their own keys in configurations.
  package static var configurable: [Component] {
    all.filter { $0.unitType is any ConfigurableUnit.Type }
  }

  /// Makes a registry with the built-in components.
  /// - Throws: `RegistrationError` if two of them have one name or the same codes.
  /// - Thread: [control]
  public static func makeRegistry() throws(RegistrationError) -> ComponentRegistry {
    let registry = ComponentRegistry()
    for component in all { try registry.register(component) }
    return registry
  }
}

extension ComponentRegistry {
  /// The registry of the process: the built-in components, and those that the program registers.
  ///
  /// Declared by `BuiltInUnits`, so that a program has it only together with the built-in units.
  /// An `Engine` and the command have their own registries.
  ///
  /// AUv3: `AVAudioUnitComponentManager.shared()`.
  public static let shared: ComponentRegistry = {
    do { return try BuiltInComponents.makeRegistry() } catch {
      // A test makes this registry.
      preconditionFailure("the built-in components: \(error)")
    }
  }()
}

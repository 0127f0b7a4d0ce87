// The components that come with Auricle.

import FilterUnit
import MIDIEffectUnit
import SamplerUnit
import UnitModel

/// The components that every session knows.
public enum BuiltInComponents {
  public static let all = [FilterUnit.component, MIDIEffectUnit.component, SamplerUnit.component]

  /// A registry with the built-in components.
  /// - Thread: [control]
  public static func makeRegistry() throws(RegistrationError) -> ComponentRegistry {
    let registry = ComponentRegistry()
    for component in all { try registry.register(component) }
    return registry
  }
}

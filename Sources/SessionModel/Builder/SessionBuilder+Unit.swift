// Making, loading and setting up units of a configuration.

import Configuration
import FoundationEssentials
import Glibc
import MIDIStagesModel
import UnitModel

extension SessionBuilder {
  /// Makes a unit. Applies its stages, own keys, state, preset, parameters and switches, in this
  /// order; for a unit with entries, the parameters before its keys.
  /// - Parameter state: a state that is in no file.
  /// - Throws: all problems that do not follow from another.
  package func makeUnit(
    _ configuration: UnitConfiguration, file: URL?, state: StateDictionary? = nil
  ) async throws(ConfigurationError) -> AudioUnit {
    var problems = ProblemCollector()
    var unit: AudioUnit?
    do throws(ConfigurationProblem) {
      unit = try await makeUnit(configuration, file: file, state: state, &problems)
    } catch { problems.report(error) }
    try problems.finish()
    guard let unit else { preconditionFailure("a unit that is not made has a problem") }
    return unit
  }

  /// - Parameter problems: receives those that leave the unit in a state to go on with.
  private func makeUnit(
    _ configuration: UnitConfiguration, file: URL?, state: StateDictionary?,
    _ problems: inout ProblemCollector
  ) async throws(ConfigurationProblem) -> AudioUnit {
    let component = try findComponent(configuration.component)
    refuseForeignKeys(configuration, of: component, &problems)
    let type = component.unitType as? any ConfigurableUnit.Type
    let made = try type?.component(component, for: configuration.keys) ?? component
    let unit = try located(configuration.component.location) { () throws(InstantiationError) in
      try registry.makeUnit(of: made)
    }
    unit.keepPresets(in: PresetStore.root(environment))
    try setMIDIStages(configuration, of: unit)
    let entries = type?.entries(of: configuration.keys) ?? []
    let id = configuration.id.value
    if !entries.isEmpty {
      apply(configuration.parameters, to: unit, id: id, &problems)
    }
    let context = ConfigurationContext(
      file: file, environment: environment, loadingProgress: loadingProgress)
    try await (unit as? any ConfigurableUnit)?.configure(configuration, context)
    if entries.isEmpty {
      try restoreState(configuration, of: unit, file: file, state)
      problems.attempt { () throws(ConfigurationProblem) in
        try applyPreset(configuration.preset, to: unit, id: id)
      }
      apply(configuration.parameters, to: unit, id: id, &problems)
    } else {
      problems.attempt { () throws(ConfigurationProblem) in
        try applyPreset(configuration.preset, to: unit, id: id)
      }
      try restoreState(configuration, of: unit, file: file, state)
      if configuration.state != nil || state != nil {
        let named = entries.keyPaths
        apply(
          configuration.parameters.filter { !named.contains($0.keyPath.value) }, to: unit, id: id,
          &problems)
      }
    }
    configuration.setSwitches(of: unit)
    return unit
  }

  private func apply(
    _ settings: [Setting], to unit: AudioUnit, id: String, _ problems: inout ProblemCollector
  ) {
    for setting in settings {
      problems.attempt { () throws(ConfigurationProblem) in
        try apply(setting, to: unit, id: id)
      }
    }
  }

  private func findComponent(
    _ name: Located<String>
  ) throws(ConfigurationProblem) -> Component {
    do throws(InstantiationError) { return try registry.component(named: name.value) } catch {
      if case .unknownComponent(let text, let available) = error {
        // People misspell names, not codes.
        let names = available.map { String($0.prefix { $0 != " " }) }
        let nearest = nearestMatch(to: text, among: names).map { ": did you mean \(quoted($0))?" }
        throw ConfigurationProblem(
          "unknown component \(quoted(text)) in [[unit]]\(nearest ?? "")",
          accepted: available.joined(separator: ", "), at: name.location)
      }
      throw ConfigurationProblem(error.description, at: name.location)
    }
  }

  private func refuseForeignKeys(
    _ configuration: UnitConfiguration, of component: Component, _ problems: inout ProblemCollector
  ) {
    let own =
      (component.unitType as? any ConfigurableUnit.Type)?.configurationKeys.map(\.name) ?? []
    let hasStages = component.unitType is any MIDIChainUnit.Type
    func refuse(_ key: String, at location: SourcePosition?) {
      guard let location else { return }
      let accepted = own + (hasStages ? ["midi"] : []) + ["preset", "parameters"]
      problems.report(
        ConfigurationProblem(
          "component '\(configuration.component.value)' has no '\(key)'",
          accepted: accepted.joined(separator: ", "), at: location))
    }
    for key in configuration.keys.names where !own.contains(key) {
      refuse(key, at: configuration.keys[key]?.location)
    }
    if !hasStages { refuse("midi", at: configuration.midiStages.first?.location) }
  }

  func applyPreset(
    _ name: Located<String>?, to unit: AudioUnit, id: String
  ) throws(ConfigurationProblem) {
    guard let name else { return }
    let presets = try located(name.location) { () throws(PresetError) in try unit.allPresets }
    guard let preset = presets.named(name.value, by: \.name) else {
      throw .unknown(
        "preset", name.value, in: "unit '\(id)'", accepted: presets.map(\.name),
        at: name.location)
    }
    try located(name.location) { () throws(PresetError) in try unit.setCurrentPreset(preset) }
  }

  /// Sets one parameter. A value out of range is an error here, though a host's is clamped.
  func apply(
    _ setting: Setting, to unit: AudioUnit, id: String
  ) throws(ConfigurationProblem) {
    let (parameter, value) = try read(setting, of: unit, id: id)
    try located(setting.value.location) { () throws(ParameterError) in
      try parameter.setValue(value)
    }
  }

  /// Returns the parameter named by a setting, and a value in its range.
  func read(
    _ setting: Setting, of unit: AudioUnit, id: String
  ) throws(ConfigurationProblem) -> (Parameter, Float) {
    try SettingReader(unit: unit, id: id).read(setting)
  }
}

extension [ConfiguredEntry] {
  /// The key paths of parameters that some of the entries set.
  var keyPaths: Set<String> { Set(flatMap { $0.parameters.map(\.keyPath.value) }) }
}

// Mixer settings of sources, which move with the sources.

import Configuration
import SessionModel
import Synchronization
import UnitModel

/// The former mixer settings of sources that are not mixed any more.
final class SessionMixing: Sendable {
  /// Values by source, and by the identifiers that mixers' parameters have for an input.
  private let values = Mutex<[String: [String: Float]]>([:])

  func keep(_ kept: [String: [String: Float]]) {
    values.withLock { $0.merge(kept) { $1 } }
  }

  func values(of source: String) -> [String: Float]? { values.withLock { $0[source] } }

  func forget(_ sources: some Sequence<String>) {
    values.withLock { values in
      for source in sources { values[source] = nil }
    }
  }
}

/// Mixer settings that move when a session changes.
struct MixingMove {
  /// Settings of sources that leave their mixers.
  var left: [String: [String: Float]] = [:]
  var moved: [(input: MixedInput, values: [String: Float])] = []

  /// - Parameters:
  ///   - before: the current configuration, and `after` the next one; inputs are numbered in both.
  ///   - memory: the settings of sources that are not mixed.
  init(
    from before: SessionConfiguration, to after: SessionConfiguration,
    _ units: [(id: String, unit: AudioUnit)], _ memory: SessionMixing,
    _ registry: ComponentRegistry
  ) {
    // A mixer that is replaced counts as its replacement.
    let mixers = registry.mixers(among: after).union(
      registry.mixers(among: before).subtracting(after.units.map(\.id.value)))
    let (old, new) = (
      before.mixedInputs(mixers.contains), after.mixedInputs(mixers.contains)
    )
    func values(at input: MixedInput) -> [String: Float]? {
      let strip = units.first { $0.id == input.mixer }?.unit.strip(ofInput: input.input)
      return strip.map {
        Dictionary(uniqueKeysWithValues: $0.allParameters.map { ($0.identifier, $0.value) })
      }
    }
    for (source, inputs) in new {
      let known = old[source]?.first.flatMap(values(at:)) ?? memory.values(of: source)
      guard let known else { continue }
      for input in inputs where !(old[source]?.contains(input) ?? false) {
        moved.append((input, known))
      }
    }
    for (source, inputs) in old where new[source] == nil {
      left[source] = inputs.first.flatMap(values(at:))
    }
  }

  /// Returns the changes that give inputs of existing mixers the settings of their new sources.
  ///
  /// - Parameter target: returns the value that a ramp moves a parameter to; nil if it is at rest.
  func edits(
    of units: [(id: String, unit: AudioUnit)], _ target: (SessionPath) -> Float?
  ) -> [Edit] {
    moved.flatMap { input, values in
      let mixer = units.first { $0.id == input.mixer }?.unit
      return (mixer?.strip(ofInput: input.input)?.allParameters ?? []).compactMap {
        parameter -> Edit? in
        let path = SessionPath(unit: input.mixer, keyPath: parameter.keyPath)
        let before = target(path) ?? parameter.value
        guard parameter.flags.contains(.writable), let value = values[parameter.identifier],
          value != before
        else { return nil }
        return .value(
          Edit.Value(unit: input.mixer, keyPath: parameter.keyPath, from: before, to: value))
      }
    }
  }

  /// Sets the inputs of new mixers. Values already in the mixers' configurations stay.
  ///
  /// - Parameter made: the new units.
  func set(inputsOf made: [String: AudioUnit], _ configuration: inout SessionConfiguration) {
    for (input, values) in moved where made[input.mixer] != nil {
      let written = configuration.set(values, at: input)
      for parameter in made[input.mixer]?.strip(ofInput: input.input)?.allParameters ?? []
      where !written.contains(parameter.keyPath) {
        if let value = values[parameter.identifier] { try? parameter.setValue(value) }
      }
    }
  }
}

extension SessionConfiguration {
  /// Adds the settings of an input to the configuration of a new mixer. Values already in it stay.
  ///
  /// - Returns: the key paths that it had before.
  fileprivate mutating func set(_ values: [String: Float], at input: MixedInput) -> Set<String> {
    guard let place = units.firstIndex(where: { $0.id.value == input.mixer }) else { return [] }
    let written = Set(units[place].parameters.map(\.keyPath.value))
    for (identifier, value) in values.sorted(by: { $0.key < $1.key }) {
      let keyPath = "inputs.\(input.input + 1).\(identifier)"
      if written.contains(keyPath) { continue }
      units[place].parameters.append(
        Setting(
          keyPath: Located(keyPath, at: .command),
          value: Located(.number(Double(value)), at: .command)))
    }
    return written
  }
}

extension ComponentRegistry {
  /// Returns the ids of the units that have an input for each source.
  fileprivate func mixers(among configuration: SessionConfiguration) -> Set<String> {
    Set(
      configuration.units.filter { unitType(of: $0) is any InputForEachSourceUnit.Type }
        .map(\.id.value))
  }
}

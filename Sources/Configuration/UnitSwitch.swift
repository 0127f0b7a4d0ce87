// General keys of `[[unit]]` that are true or false.

import UnitModel

/// A key of all units that is true or false. Reading, writing, following and undo use this
/// declaration.
///
/// - Thread: [any]
public enum UnitSwitch: String, Sendable, CaseIterable {
  /// Whether the unit is bypassed at first.
  case bypass
  /// Whether the unit is reset when the transport starts or jumps.
  case resetWithTransport = "reset-with-transport"

  fileprivate struct Declaration {
    let property: ReferenceWritableKeyPath<AudioUnit, Bool>
    /// Whether a unit without the key has it on.
    var isUsuallyOn = false
    /// Whether a unit's saved state keeps it too. Such a state applies to a unit without the key.
    var isInState = false
    /// The description for the reference.
    let meaning: String
  }

  fileprivate var declaration: Declaration {
    switch self {
    case .bypass:
      Declaration(
        property: \.shouldBypassEffect, isInState: true,
        meaning: "Whether it is bypassed at first")
    case .resetWithTransport:
      Declaration(
        property: \.resetsWithTransport,
        meaning: "Resets its tails when JACK's transport starts or jumps")
    }
  }

  /// The property of a running unit.
  package var property: ReferenceWritableKeyPath<AudioUnit, Bool> { declaration.property }

  /// Whether a unit without the key has it on.
  package var isUsuallyOn: Bool { declaration.isUsuallyOn }

  var generalKey: GeneralUnitKey {
    GeneralUnitKey(
      name: rawValue, values: "`true`, `false`", standard: "`\(isUsuallyOn)`",
      meaning: declaration.meaning)
  }
}

extension UnitConfiguration {
  /// Whether a switch is on in the configuration.
  package func isOn(_ key: UnitSwitch) -> Bool { switches[key]?.value ?? key.isUsuallyOn }

  /// Sets the switches of a new unit, after its state.
  package func setSwitches(of unit: AudioUnit) {
    for key in UnitSwitch.allCases where switches[key] != nil || !key.declaration.isInState {
      unit[keyPath: key.property] = isOn(key)
    }
  }

  /// Updates the switches to those of the running unit. A switch stays written once it is.
  package mutating func describeSwitches(of unit: AudioUnit) {
    for key in UnitSwitch.allCases {
      let isOn = unit[keyPath: key.property]
      guard isOn != key.isUsuallyOn || switches[key] != nil else { continue }
      switches[key] = Located(isOn, at: .nowhere)
    }
  }
}

// A change is made, or taken back.

import Configuration
import Foundation
import SessionModel
import UnitModel

extension Edit {
  /// Brings a unit to what it is after the change. Observers hear of it.
  ///
  /// - Parameters:
  ///   - rendersNow: whether an entry that is selected takes over in a cycle to come.
  ///   - now: by which values go behind those of the change where these are still to come.
  /// - Throws: what cannot be, such as a SoundFont that is gone.
  func apply(
    to units: [(id: String, unit: AudioUnit)], rendersNow: Bool, now: SessionClock? = nil
  ) throws {
    guard let id = unit else { return }
    guard let unit = units.first(where: { $0.id == id })?.unit else {
      throw SessionCommandError("there is no unit \(quoted(id)) any more")
    }
    switch self {
    case .value(_, let keyPath, _, let value, _):
      guard let parameter = unit.parameterTree.parameter(keyPath: keyPath) else { return }
      if let frame = frame(toComeAt: now) {
        try unit.scheduleParameter(parameter.address, value: value, at: .frame(frame))
      } else {
        try Self.set(parameter, to: value)
      }
    case .bypass(_, _, let isOn): unit.shouldBypassEffect = isOn
    case .transportReset(_, _, let resets): unit.resetsWithTransport = resets
    case .sound(_, _, let sound, _): try Self.apply(sound, to: unit, rendersNow: rendersNow)
    case .structure: break
    }
  }

  private static func apply(_ sound: UnitSound, to unit: AudioUnit, rendersNow: Bool) throws {
    let (settings, values, preset): (StateDictionary?, [(keyPath: String, value: Float)], Preset?)
    switch sound {
    case .entry(let number):
      try (unit as? any EntrySelecting)?.selectEntry(number, at: .immediate)
      return
    case .state(let known, let moved, let chosen):
      (settings, values, preset) = (known, moved, chosen)
    }
    if let settings { try apply(settings, to: unit, rendersNow: rendersNow) }
    for (keyPath, value) in values {
      guard let parameter = unit.parameterTree.parameter(keyPath: keyPath) else { continue }
      if parameter.value != value { try set(parameter, to: value) }
    }
    guard preset != unit.currentPreset else { return }
    if let preset { unit.presetDidChange(to: preset) } else { try unit.setCurrentPreset(nil) }
  }

  /// - Throws: `StateError`.
  private static func apply(
    _ settings: StateDictionary, to unit: AudioUnit, rendersNow: Bool
  ) throws {
    if unit.settings(forDocument: true) == settings { return }
    try unit.checkSettings(settings)
    try unit.applySettings(settings)
    guard rendersNow, let unit = unit as? any EntrySelecting,
      let entry = type(of: unit).entryNumber(in: settings)
    else { return }
    // Its values are set when it takes over, and ours have to come behind them.
    let patience = ContinuousClock.now + .seconds(5)
    while unit.currentEntry?.number != entry, ContinuousClock.now < patience { usleep(2_000) }
  }

  /// Its frame if that has not come yet. Another server may count frames anew.
  func frame(toComeAt now: SessionClock?) -> Int64? {
    let frame: Int64? =
      switch self {
      case .value(_, _, _, _, let frame), .sound(_, _, _, let frame): frame
      case .bypass, .transportReset, .structure: nil
      }
    guard let frame, let now, frame > now.frame, EditFrame.seconds(until: frame, now) <= 0 else {
      return nil
    }
    return frame
  }

  /// Waits for room where many values are set at once.
  static func set(_ parameter: Parameter, to value: Float) throws {
    for _ in 0..<100 {
      do throws(ParameterError) { return try parameter.setValue(value) } catch {
        guard case .queueFull = error else { throw error }
        usleep(10_000)
      }
    }
    try parameter.setValue(value)
  }
}

// Applying changes to units.

import Configuration
import Glibc
import SessionModel
import UnitModel

extension Edit {
  /// Conditions under which a change is applied.
  struct Options {
    /// Frame at which values, bypasses and entries take effect; nil for the next cycle.
    var frame: Int64?
    /// Whether a selected entry takes over in a later cycle.
    let rendersNow: Bool
    /// Whether setting many values at once waits for room.
    let waitsForRoom: Bool
  }

  /// Brings a unit to its state after the change. Observers are notified of parts that take effect
  /// at once.
  ///
  /// - Throws: an error, such as for a missing SoundFont.
  func apply(to unit: AudioUnit, by way: Options) throws {
    let time = way.frame.map { EventTime.frame($0) } ?? .immediate
    switch self {
    case .value(let value):
      guard let parameter = unit.parameterTree.parameter(keyPath: value.keyPath) else { return }
      if way.frame == nil, value.rampFrames == 0 || !way.rendersNow {
        try Self.set(parameter, to: value.to, by: way)
      } else {
        try unit.scheduleParameter(
          parameter.address, value: value.to, at: time, rampFrames: value.rampFrames)
      }
    case .switch(.bypass, _, _, let isOn) where way.frame != nil:
      try unit.scheduleBypass(isOn, at: time)
    case .switch(let key, _, _, let isOn): unit[keyPath: key.property] = isOn
    case .sound(_, _, .entry(let number), _):
      try (unit as? any EntrySelecting)?.selectEntry(number, at: time)
    case .sound(_, _, .state(let settings, let values, let preset), _):
      if let settings { try Self.apply(settings, to: unit, by: way) }
      for (keyPath, value) in values {
        guard let parameter = unit.parameterTree.parameter(keyPath: keyPath) else { continue }
        if parameter.value != value { try Self.set(parameter, to: value, by: way) }
      }
      guard preset != unit.currentPreset else { return }
      if let preset { unit.presetDidChange(to: preset) } else { try unit.setCurrentPreset(nil) }
    case .structure: break
    }
  }

  /// - Throws: `StateError`.
  private static func apply(
    _ settings: StateDictionary, to unit: AudioUnit, by way: Options
  ) throws {
    if unit.settings(forDocument: true) == settings { return }
    try unit.checkSettings(settings)
    try unit.applySettings(settings)
    guard way.rendersNow, let unit = unit as? any EntrySelecting,
      let entry = type(of: unit).entryNumber(in: settings)
    else { return }
    // The entry sets its values when it takes over, and ours must be set after them.
    let patience = ContinuousClock.now + .seconds(5)
    while unit.currentEntry?.number != entry, ContinuousClock.now < patience { usleep(2_000) }
  }

  private static func set(_ parameter: Parameter, to value: Float, by way: Options) throws {
    for _ in 0..<(way.waitsForRoom ? 100 : 0) {
      do throws(ParameterError) { return try parameter.setValue(value) } catch {
        guard case .queueFull = error else { throw error }
        usleep(10_000)
      }
    }
    try parameter.setValue(value)
  }

  /// Returns the edit's frame if it is still to come and near enough to be set; nil otherwise.
  /// Another server may count frames from another start.
  func frame(toComeAt now: SessionClock?) -> Int64? {
    let frame: Int64? =
      switch self {
      case .value(let value): value.frame
      case .sound(_, _, _, let frame): frame
      case .switch, .structure: nil
      }
    guard let frame, let now, frame > now.frame, EditFrame.seconds(until: frame, now) <= 0 else {
      return nil
    }
    return frame
  }
}

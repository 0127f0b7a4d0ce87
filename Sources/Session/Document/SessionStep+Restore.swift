// A change taken back, or made again.

import Configuration
import Foundation
import SessionModel
import UnitModel

extension SessionStep {
  /// Sets the unit as it was before the step, or after it. Observers hear of it.
  ///
  /// - Parameters:
  ///   - rendersNow: whether an entry that is selected takes over in a cycle to come.
  ///   - now: by which values go behind those of the step where these are still to come.
  /// - Throws: what cannot be, such as a SoundFont that is gone.
  func restore(
    _ units: [(id: String, unit: AudioUnit)], isUndo: Bool, rendersNow: Bool,
    now: SessionClock? = nil
  ) throws {
    guard !isFixed else {
      throw SessionCommandError(
        "this cannot be undone: \(text)", accepted: "another undo, for what was before it")
    }
    guard let unit = units.first(where: { $0.id == self.unit })?.unit else {
      throw SessionCommandError("there is no unit \(quoted(self.unit)) any more")
    }
    if let entry, !isUndo, let unit = unit as? any EntrySelecting {
      return try unit.selectEntry(entry, at: .immediate)
    }
    if let settings {
      try restore(isUndo ? settings.before : settings.after, of: unit, rendersNow: rendersNow)
    }
    for value in parameters {
      guard let number = isUndo ? value.before : value.after,
        let parameter = unit.parameterTree.parameter(keyPath: value.keyPath)
      else { continue }
      if let frame = frame(toComeAt: now) {
        try unit.scheduleParameter(parameter.address, value: number, at: .frame(frame))
        continue
      }
      // What a ramp moves is not where it seems to be.
      if isValue || parameter.value != number { try Self.set(parameter, to: number) }
    }
    if let bypass { unit.shouldBypassEffect = isUndo ? bypass.before : bypass.after }
    if let resetsWithTransport {
      unit.resetsWithTransport = isUndo ? resetsWithTransport.before : resetsWithTransport.after
    }
    if let preset {
      let wanted = isUndo ? preset.before : preset.after
      guard wanted != unit.currentPreset else { return }
      if let wanted { unit.presetDidChange(to: wanted) } else { try unit.setCurrentPreset(nil) }
    }
  }

  /// Its frame if that has not come yet. Another server may count frames anew.
  func frame(toComeAt now: SessionClock?) -> Int64? {
    guard let frame, let now, frame > now.frame, EditFrame.seconds(until: frame, now) <= 0 else {
      return nil
    }
    return frame
  }

  /// - Throws: `StateError`.
  private func restore(
    _ settings: StateDictionary, of unit: AudioUnit, rendersNow: Bool
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

// Units with keys that may change while they play.

/// A unit that applies changes of some of its keys while it plays, when its session's file is
/// written. Other keys need a restart.
public protocol ChangeableUnit: ConfigurableUnit {
  /// Returns the changeable keys of a unit with these keys.
  ///
  /// - Thread: [any]
  static func changeableKeys(_ keys: UnitKeys) -> [String]

  /// Prepares a change of keys that differ only in changeable ones.
  ///
  /// - Returns: a function that applies the change, nil if there is none. `applySettings` undoes
  ///   it, with the former result of `settings(forDocument:)`.
  /// - Throws: the first problem of the new keys.
  /// - Thread: [control]
  func change(
    from former: (keys: UnitKeys, context: ConfigurationContext),
    to new: (keys: UnitKeys, context: ConfigurationContext)
  ) throws(ConfigurationProblem) -> (@Sendable () async throws -> Void)?
}

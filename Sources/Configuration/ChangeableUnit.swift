// What a unit does whose keys may change while it plays.

/// A unit that follows some of its keys when its session's file is written while it plays. Other
/// keys take a restart.
public protocol ChangeableUnit: ConfigurableUnit {
  /// The keys that it follows, of a unit with these.
  ///
  /// - Thread: [any]
  static func changeableKeys(_ keys: UnitKeys) -> [String]

  /// The way from some keys to others, which differ in changeable ones alone.
  ///
  /// - Returns: what makes the change, nil where there is none. It is taken back by
  ///   `applySettings`, with what `settings(forDocument:)` said before.
  /// - Throws: what is wrong with the new ones.
  /// - Thread: [control]
  func change(
    from former: (keys: UnitKeys, context: ConfigurationContext),
    to new: (keys: UnitKeys, context: ConfigurationContext)
  ) throws(ConfigurationProblem) -> (@Sendable () async throws -> Void)?
}

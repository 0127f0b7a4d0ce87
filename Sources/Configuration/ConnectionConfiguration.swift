// A connection of a configuration.

/// One `[[connect]]`.
///
/// - Thread: [any]
public struct ConnectionConfiguration: Sendable, Equatable {
  public var from: Located<Endpoint>
  public var to: Located<Endpoint>
  /// The position of its `[[connect]]`.
  @Uncompared public var location: SourcePosition
}

// What a configuration says of one connection.

/// One `[[connect]]`.
///
/// - Thread: [any]
public struct ConnectionConfiguration: Sendable, Equatable {
  public var from: Located<Endpoint>
  public var to: Located<Endpoint>
  /// Where its `[[connect]]` stands.
  @Uncompared public var location: SourcePosition
}

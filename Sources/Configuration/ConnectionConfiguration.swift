// What a configuration says of one connection.

/// One `[[connect]]`.
///
/// - Thread: [any]
public struct ConnectionConfiguration: Sendable, Equatable {
  public let from: Located<Endpoint>
  public let to: Located<Endpoint>
  /// Where its `[[connect]]` stands.
  public let location: SourcePosition
}

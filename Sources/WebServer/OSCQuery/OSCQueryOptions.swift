// Options of OSCQuery.

/// The port of OSCQuery, the session that it shows, and whether its clients may change that.
public struct OSCQueryOptions: Sendable {
  /// The port to listen to; nil for a free one.
  public var port: Int?
  /// The name of the session; nil for the first one that runs.
  public var session: String?
  /// Whether clients may change the session.
  public var mayWrite = false
  /// Receives lines for the user, on the event loop's thread.
  public var report: @Sendable (_ line: String) -> Void = { _ in }

  public init() {}
}

// Options of the server.

public import ControlSocket

/// The addresses and limits of a server for browsers.
public struct WebOptions: Sendable {
  /// The address to listen to; nil for a random one on loopback.
  public var address: String?
  /// The port to listen to; nil for a random one.
  public var port: Int?
  /// Names under which browsers reach the server, such as a proxy's.
  public var hosts: [String] = []
  /// The options of OSCQuery; nil for none.
  public var oscQuery: OSCQueryOptions?
  /// The folder of the sessions.
  public var folder = ControlFolder()
  /// The limits of each connection and of all.
  public var limits = WebLimits()

  public init() {}
}

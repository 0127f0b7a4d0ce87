// Where a session listens to OSC.

/// What `[osc]` says. Without it a session does not listen.
///
/// - Thread: [any]
public struct OSCConfiguration: Sendable, Equatable {
  public enum Transport: String, Sendable, CaseIterable { case udp, tcp, both }

  /// Reached by this machine alone.
  public static let defaultAddress = "127.0.0.1"
  public static let ports = 1...65_535

  /// 0 is any that is free, which no file says.
  public var port: Located<Int>
  public var transport: Transport
  /// A numeric address of IPv4 or IPv6.
  public var address: Located<String>

  public init(
    port: Located<Int>, transport: Transport = .udp, address: Located<String>? = nil
  ) {
    self.port = port
    self.transport = transport
    self.address = address ?? Located(Self.defaultAddress, at: port.location)
  }
}

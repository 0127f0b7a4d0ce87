// The OSC settings of a session.

/// The `[osc]` section. Without it a session does not listen to OSC.
///
/// - Thread: [any]
public struct OSCConfiguration: Sendable, Equatable {
  public enum Transport: String, Sendable, CaseIterable { case udp, tcp, both }

  /// The address that only this machine reaches.
  public static let defaultAddress = "127.0.0.1"
  public static let ports = 1...65_535

  /// The port, 1 to 65535; 0 for any free one, which a file cannot request.
  public var port: Located<Int>
  public var transport: Transport
  /// A numeric IPv4 or IPv6 address.
  public var address: Located<String>

  public init(
    port: Located<Int>, transport: Transport = .udp, address: Located<String>? = nil
  ) {
    self.port = port
    self.transport = transport
    self.address = address ?? Located(Self.defaultAddress, at: port.location)
  }
}

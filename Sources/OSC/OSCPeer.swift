// Peers that send messages and receive replies.

import CNetworkSocket

/// A numeric address and a port.
public struct OSCEndpoint: Sendable, Hashable, CustomStringConvertible {
  private let high: UInt64
  private let low: UInt64
  private let scope: UInt32
  private let version: UInt16
  public var port: Int

  /// - Returns: nil unless `address` is numeric and `port` is 0 to 65,535.
  public init?(address: String, port: Int) {
    var read = NetworkAddress()
    guard (0...65_535).contains(port), networkAddressRead(address, &read) == 1 else { return nil }
    read.port = UInt16(port)
    self.init(read)
  }

  init(_ address: NetworkAddress) {
    (high, low, scope) = (address.high, address.low, address.scope)
    (version, port) = (address.version, Int(address.port))
  }

  var system: NetworkAddress {
    NetworkAddress(
      high: high, low: low, scope: scope, port: UInt16(truncatingIfNeeded: port), version: version)
  }

  /// The same address with port 0: equal for all ports of one host.
  public var host: OSCEndpoint {
    var place = self
    place.port = 0
    return place
  }

  /// Whether it is reachable only from this machine.
  public var isLoopback: Bool {
    var address = system
    return networkAddressIsLoopback(&address) == 1
  }

  /// The address without the port: `127.0.0.1`, `::1`.
  public var address: String {
    var address = system
    var text = [CChar](repeating: 0, count: 64)
    networkAddressWrite(&address, &text, text.count)
    return text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  /// The address and port: `127.0.0.1:9000`, `[::1]:9000`.
  public var description: String {
    version == 6 ? "[\(address)]:\(port)" : "\(address):\(port)"
  }
}

/// The other side: an endpoint over UDP, a connection over TCP.
public struct OSCPeer: Sendable, Hashable, CustomStringConvertible {
  public var place: OSCEndpoint
  /// The number of the connection; nil over UDP.
  public let connection: Int?

  /// Makes a peer over UDP.
  public init(at place: OSCEndpoint) { self.init(place: place, connection: nil) }

  init(place: OSCEndpoint, connection: Int?) { (self.place, self.connection) = (place, connection) }

  public var description: String { "\(place)" }
}

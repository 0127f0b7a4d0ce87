// URLs of OSC programs, as liblo writes them.

import CNetworkSocket

/// `osc.udp://studio.local:12345/`: a transport, a host's name or numeric address, and a port.
public struct OSCURL: Sendable, Hashable, CustomStringConvertible {
  public let transport: OSCServer.Transport
  /// The host, without the brackets of IPv6.
  public let host: String
  public let port: Int

  /// - Returns: nil unless the text is such a URL. `osc://` means UDP, and a path is ignored.
  public init?(_ text: String) {
    guard
      let match = text.wholeMatch(
        of: /osc(?:\.(udp|tcp))?:\/\/(?:\[([^\]\/]+)\]|([^:\/\[\]]+)):([0-9]{1,5})(?:\/.*)?/),
      let port = Int(match.output.4), (1...65_535).contains(port),
      let host = match.output.2 ?? match.output.3
    else { return nil }
    transport = match.output.1 == "tcp" ? .tcp : .udp
    self.host = String(host)
    self.port = port
  }

  public var description: String {
    "osc.\(transport)://\(host.contains(":") ? "[\(host)]" : host):\(port)/"
  }

  /// Addresses of the host, IPv4 first, at most eight.
  ///
  /// If this machine does not know the name, it asks the network, which may take seconds.
  /// - Thread: [control]
  public var places: [OSCEndpoint] {
    var found = [NetworkAddress](repeating: NetworkAddress(), count: 8)
    let count = networkAddressFind(host, &found, Int32(found.count))
    return found.prefix(Int(count)).map { address in
      var place = OSCEndpoint(address)
      place.port = port
      return place
    }
  }
}

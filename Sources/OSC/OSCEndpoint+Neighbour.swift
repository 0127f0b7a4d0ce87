// Routes to endpoints, and local UDP ports in use.

import CNetworkSocket
import FoundationEssentials

extension OSCEndpoint {
  /// Local address on the route to this endpoint, with an arbitrary port; nil if there is no route.
  /// - Thread: [control]
  public var ownPlace: OSCEndpoint? {
    var (there, own) = (system, NetworkAddress())
    return networkAddressTowards(&there, &own) == 0 ? OSCEndpoint(own) : nil
  }

  /// Whether both have the same address, with any ports.
  public func hasAddress(of other: OSCEndpoint) -> Bool {
    var same = other
    same.port = port
    return same == self
  }

  /// Whether a program of this machine receives datagrams at a port, on any address; nil if the
  /// system does not say.
  ///
  /// UDP has no connections: this detects the end of a peer that sends nothing.
  /// - Thread: [control]
  public static func isListenedAt(udpPort port: Int) -> Bool? {
    let tables = ["/proc/net/udp", "/proc/net/udp6"].compactMap {
      // opens: the kernel's, which answers at once
      try? String(contentsOfFile: $0, encoding: .utf8)
    }
    if tables.isEmpty { return nil }
    // "  12: 0100007F:1F90 00000000:0000 07 …": the second field is the socket's local address.
    return tables.contains { table in
      table.split(separator: "\n").dropFirst().contains { line in
        let address = line.split(separator: " ", maxSplits: 2).dropFirst().first
        return address?.split(separator: ":").last.flatMap { Int($0, radix: 16) } == port
      }
    }
  }
}

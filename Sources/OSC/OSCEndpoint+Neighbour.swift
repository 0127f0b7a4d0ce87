// What this machine knows of a place: the way there, and whether somebody is at home.

import CNetworkSocket
import Foundation

extension OSCEndpoint {
  /// This machine's own place, with any port, from which packets go there; nil where no way leads.
  /// - Thread: [control]
  public var ownPlace: OSCEndpoint? {
    var (there, own) = (system, NetworkAddress())
    return networkAddressTowards(&there, &own) == 0 ? OSCEndpoint(own) : nil
  }

  /// Whether both are of one address, whatever their ports are.
  public func hasAddress(of other: OSCEndpoint) -> Bool {
    var same = other
    same.port = port
    return same == self
  }

  /// Whether a program of this machine takes datagrams at a port, at any address of it; nil where
  /// the system does not tell.
  ///
  /// UDP has no connections: this is how the end of a peer that says nothing is seen.
  /// - Thread: [control]
  public static func isListenedAt(udpPort port: Int) -> Bool? {
    let tables = ["/proc/net/udp", "/proc/net/udp6"].compactMap {
      // opens: the kernel's, which answers at once
      try? String(contentsOfFile: $0, encoding: .utf8)
    }
    if tables.isEmpty { return nil }
    // "  12: 0100007F:1F90 00000000:0000 07 …": the second field is the socket's own place.
    return tables.contains { table in
      table.split(separator: "\n").dropFirst().contains { line in
        let place = line.split(separator: " ", maxSplits: 2).dropFirst().first
        return place?.split(separator: ":").last.flatMap { Int($0, radix: 16) } == port
      }
    }
  }
}

// Sockets of an OSC server.

import CNetworkSocket
import Glibc

/// Listening sockets at one address.
struct OSCSockets {
  /// Sockets by transport; -1 if not used.
  private(set) var datagrams: Int32 = -1
  private(set) var listener: Int32 = -1
  /// The address, with the actual port.
  private(set) var place: OSCEndpoint

  init(at wanted: OSCEndpoint, over transports: Set<OSCServer.Transport>) throws(OSCError) {
    place = wanted
    // A port that is free for one transport may be taken for the other: then another port is tried.
    let attempts = wanted.port == 0 ? 16 : 1
    for attempt in 1...attempts {
      do throws(OSCError) {
        place = wanted
        if transports.contains(.udp) { datagrams = try open(isStream: false) }
        if transports.contains(.tcp) { listener = try open(isStream: true) }
        return
      } catch {
        close()
        if attempt == attempts { throw error }
      }
    }
  }

  mutating func close() {
    if datagrams >= 0 { Glibc.close(datagrams) }
    if listener >= 0 { Glibc.close(listener) }
    (datagrams, listener) = (-1, -1)
  }

  static var reason: String { String(cString: strerror(errno)) }

  private mutating func open(isStream: Bool) throws(OSCError) -> Int32 {
    var address = place.system
    let descriptor = networkSocketOpen(isStream ? 1 : 0, &address)
    let transport = isStream ? "TCP" : "UDP"
    if descriptor < 0 {
      switch errno {
      case EADDRINUSE: throw .taken(place: "\(place)", transport: transport)
      case EADDRNOTAVAIL: throw .notHere(place: "\(place)")
      case EACCES:
        throw .refused(
          place: "\(place)", transport: transport,
          reason: "\(Self.reason); choose a port from 1024 on")
      default: throw .refused(place: "\(place)", transport: transport, reason: Self.reason)
      }
    }
    if networkSocketAddress(descriptor, &address) == 0 { place = OSCEndpoint(address) }
    return descriptor
  }
}

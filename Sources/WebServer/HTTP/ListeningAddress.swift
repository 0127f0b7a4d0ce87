// Addresses to listen to.

import NIOCore
import OSC

/// The address of a listener, and the names by which browsers may ask for it.
struct ListeningAddress: Sendable {
  /// The host as a number, without brackets.
  let host: String
  /// Whether the user named the address.
  let isChosen: Bool

  /// - Throws: `WebServerError.address`
  init(_ wanted: String?, hasNames: Bool) throws(WebServerError) {
    guard let wanted else {
      (host, isChosen) = (Self.randomLoopback(), false)
      return
    }
    let accepted = "an address of this machine, such as 192.168.1.20"
    guard let address = try? SocketAddress(ipAddress: wanted, port: 0),
      let number = address.ipAddress
    else { throw .address(wanted, accepted: accepted) }
    if !hasNames && ["0.0.0.0", "::"].contains(number) {
      throw .address(wanted, accepted: accepted + "; or add --host NAME")
    }
    (host, isChosen) = (number, true)
  }

  /// Returns an address of loopback that other servers of this machine hardly have: browsers send
  /// a cookie to all ports of its host.
  static func randomLoopback() -> String {
    "127.\(Int.random(in: 1...254)).\(Int.random(in: 0...255)).\(Int.random(in: 1...254))"
  }

  /// The host as in addresses of pages.
  var urlHost: String { host.contains(":") ? "[\(host)]" : host }

  /// Whether the address stands for all of the machine.
  var isWildcard: Bool { ["0.0.0.0", "::"].contains(host) }

  /// Whether only this machine reaches the address.
  var isLoopback: Bool { Self.isLoopback(host) }

  /// Whether only this machine reaches a listener with an address of pages: `http://HOST:PORT`. A
  /// host that is a name stands for all addresses.
  static func isLoopback(url: String) -> Bool {
    let host = url.dropFirst("http://".count)
    let end = host.lastIndex(of: ":") ?? host.endIndex
    return isLoopback(host[..<end].filter { !"[]".contains($0) })
  }

  private static func isLoopback(_ host: String) -> Bool {
    OSCEndpoint(address: host, port: 0)?.isLoopback == true
  }

  /// Whether a text can be a host's name.
  static func isName(_ text: String) -> Bool {
    let signs = text.utf8
    return (1...253).contains(signs.count)
      && signs.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
          true
        default: false
        }
      }
  }
}

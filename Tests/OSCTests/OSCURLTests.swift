// URLs of endpoints, host addresses, and listeners and routes on this machine.

import TestSupport
import Testing

@testable import OSC

@Suite struct OSCURLTests {
  @Test func urlsAreReadAsLibloWritesThem() throws {
    let url = try #require(OSCURL("osc.udp://studio.local:12345/"))
    #expect(url.transport == .udp && url.host == "studio.local" && url.port == 12_345)
    #expect("\(url)" == "osc.udp://studio.local:12345/")
    #expect(OSCURL("osc.tcp://10.0.0.1:1")?.transport == .tcp)
    #expect(OSCURL("osc://a:65535/path/more")?.transport == .udp)
    let six = try #require(OSCURL("osc.udp://[::1]:9/"))
    #expect(six.host == "::1" && "\(six)" == "osc.udp://[::1]:9/")
    for text in [
      "", "osc.udp://a", "osc.udp://a:0/", "osc.udp://a:65536/", "osc.udp://:9/", "http://a:9/",
      "osc.udp://a:b/", "osc.udp://a:9x", "osc.unix://a:9/", " osc.udp://a:9/",
    ] { #expect(OSCURL(text) == nil, "\(text)") }
  }

  @Test func hostsHaveAddressesThoseOfIPv4First() throws {
    let places = try #require(OSCURL("osc.udp://localhost:77/")).places
    #expect(places.first == OSCEndpoint(address: "127.0.0.1", port: 77))
    #expect(try #require(OSCURL("osc.udp://no.such.host.invalid:77/")).places == [])
    #expect(
      try #require(OSCURL("osc.udp://[::1]:77/")).places == [OSCEndpoint(address: "::1", port: 77)])
  }

  @Test func listenersAreFoundAndAddressesCompared() throws {
    let place = try #require(OSCEndpoint(address: "127.0.0.1", port: 0))
    var sockets = try OSCSockets(at: place, over: [.udp])
    #expect(OSCEndpoint.isListenedAt(udpPort: sockets.place.port) == true)
    #expect(sockets.place.ownPlace == place)
    sockets.close()
    #expect(OSCEndpoint.isListenedAt(udpPort: sockets.place.port) == false)
    var other = sockets.place
    other.port = 5
    #expect(other.hasAddress(of: sockets.place))
    #expect(!other.hasAddress(of: try #require(OSCEndpoint(address: "::1", port: 5))))
  }
}

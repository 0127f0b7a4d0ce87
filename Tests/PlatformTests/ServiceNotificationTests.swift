import Glibc
import Platform
import TestSupport
import Testing

@Suite struct ServiceNotificationTests {
  @Test func messagesArriveAtAPathAndAtAnAbstractName() throws {
    let directory = try TemporaryDirectory()
    for address in [directory.file("notify").path, "@\(directory.url.lastPathComponent)"] {
      let manager = try NotifySocket(address)
      let service = try #require(ServiceNotification(address: address), "\(address)")
      #expect(service.ready(status: "ready: Zoë 48000 Hz"))
      #expect(manager.take() == "READY=1\nSTATUS=ready: Zoë 48000 Hz")
      for _ in 0..<3 { service.stopping() }
      #expect(manager.take() == "STOPPING=1")
      #expect(manager.take() == nil)
    }
  }

  @Test func otherAddressesAreRefused() {
    let longest = "/" + String(repeating: "a", count: 106)
    #expect(ServiceNotification(address: longest) != nil)
    for address in ["", "/", "@", "notify", "vsock:2:1234", longest + "a", longest + longest] {
      #expect(ServiceNotification(address: address) == nil, "\(address)")
    }
  }

  /// Longest addresses have no zero to end them, or only that one.
  @Test func theLongestAbstractNameIsReached() throws {
    let directory = try TemporaryDirectory()
    let start = "@\(directory.url.lastPathComponent)"
    let address = start + String(repeating: "a", count: 107 - start.utf8.count)
    let manager = try NotifySocket(address)
    #expect(ServiceNotification(address: address)?.ready(status: "") == true)
    #expect(manager.take() == "READY=1\nSTATUS=")
  }

  @Test func aMessageThatNobodyTakesIsReported() throws {
    let directory = try TemporaryDirectory()
    let address = directory.file("notify").path
    let service = try #require(ServiceNotification(address: address))
    #expect(!service.ready(status: "without a file"))
    do { _ = try NotifySocket(address) }
    #expect(!service.ready(status: "without a socket"))
    service.stopping()
  }

  /// A sender that waited for room would wait forever.
  @Test func aFullSocketHoldsNobodyUp() throws {
    let directory = try TemporaryDirectory()
    let manager = try NotifySocket(directory.file("notify").path)
    let service = try #require(ServiceNotification(address: manager.address))
    var count = 0
    while service.ready(status: String(count)) { count += 1 }
    for number in 0..<count { #expect(manager.take() == "READY=1\nSTATUS=\(number)") }
    #expect(manager.take() == nil)
    #expect(service.ready(status: "room again"))
  }
}

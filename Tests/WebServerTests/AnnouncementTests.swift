// The announcement in the local network.

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import WebServer

@Suite struct AnnouncementTests {
  @Test func theSessionIsAnnouncedUntilItsEnd() async throws {
    let directory = try TemporaryDirectory()
    let avahi = try AvahiStandIn(in: directory)
    let announcement = Announcement(port: 9090, program: avahi.program) { Issue.record("\($0)") }
    func shows(_ services: [String]) async -> Bool {
      await eventually { avahi.published == services }
    }
    announcement.announce("stage", udp: 9000)
    #expect(await shows(["-s stage _osc._udp 9000", "-s stage _oscjson._tcp 9090"]))
    announcement.announce("stage", udp: nil)
    #expect(await shows(["-s stage _oscjson._tcp 9090"]))
    announcement.announce("night set", udp: nil)
    #expect(await shows(["-s night set _oscjson._tcp 9090"]))
    announcement.announce(nil, udp: nil)
    #expect(await shows([]))
    announcement.announce("stage", udp: nil)
    #expect(await shows(["-s stage _oscjson._tcp 9090"]))
    announcement.end()
    #expect(await shows([]))
  }

  @Test func withoutTheProgramThereIsOneLine() throws {
    let lines = Mutex<[String]>([])
    let announcement = Announcement(port: 9090, program: nil) { line in
      lines.withLock { $0.append(line) }
    }
    announcement.announce("stage", udp: 9000)
    announcement.announce("other", udp: nil)
    announcement.end()
    #expect(lines.withLock { $0 } == ["OSCQuery is not announced: avahi-publish is not installed"])
  }
}

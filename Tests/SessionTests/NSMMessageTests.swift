// Messages of the session management protocol, as values.

import Foundation
import OSC
import Testing

@testable import Remotes
@testable import Session
@testable import SessionModel

@Suite struct NSMMessageTests {
  private let announce = OSCArgument.string("/nsm/server/announce")

  private func read(_ address: String, _ arguments: OSCArgument...) -> NSMServerMessage? {
    NSMServerMessage(OSCMessage(address, arguments))
  }

  @Test func messagesOfAServerAreRead() {
    #expect(
      read("/reply", announce, .string("hi"), .string("New Session Manager"), .string(":a:b-c:"))
        == .accepted(by: "New Session Manager", capabilities: ["a", "b-c"]))
    #expect(read("/reply", announce) == .accepted(by: "", capabilities: []))
    #expect(
      read("/error", announce, .int32(-6), .string("no session"))
        == .refused(NSMFailure(.noSessionOpen, "no session")))
    #expect(read("/error", announce) == .refused(NSMFailure(.general, "")))
    let project = NSMProject(path: "/s/A.n", displayName: "Song one", clientID: "A.n")
    #expect(
      read("/nsm/client/open", .string("/s/A.n"), .string("Song one"), .string("A.n"))
        == .open(project))
    #expect(read("/nsm/client/save") == .save)
    #expect(read("/nsm/client/session_is_loaded") == .sessionIsLoaded)
  }

  @Test func malformedMessagesAreDistinguishedFromForeignOnes() {
    #expect(read("/nsm/client/open") == .malformed(.open))
    #expect(
      read("/nsm/client/open", .string("/a"), .string("b"), .int32(1)) == .malformed(.open))
    #expect(read("/nsm/client/save", .int32(1)) == .malformed(.save))
    for address in ["/nsm/client/show_optional_gui", "/nsm/client/other", "/lowpass/cutoff"] {
      #expect(read(address) == nil)
    }
    #expect(read("/reply", .string("/nsm/server/add"), .string("Launched")) == nil)
    #expect(read("/error", .string("/nsm/server/add"), .int32(-1), .string("no")) == nil)
  }

  @Test func messagesOfAClientAreWritten() throws {
    #expect(
      NSMClientMessage.announcement(NSMAnnouncement(executable: "auricle", process: 7)).osc
        == OSCMessage(
          "/nsm/server/announce",
          [
            .string("Auricle"), .string(":switch:dirty:progress:message:"), .string("auricle"),
            .int32(1), .int32(1), .int32(7),
          ]))
    #expect(
      NSMClientMessage.reply(.save, "saved").osc
        == OSCMessage("/reply", [.string("/nsm/client/save"), .string("saved")]))
    #expect(
      NSMClientMessage.error(.open, NSMFailure(.badProject, "one\ntwo")).osc
        == OSCMessage(
          "/error", [.string("/nsm/client/open"), .int32(-9), .string("one; two")]))
    #expect(
      NSMClientMessage.progress(7).osc == OSCMessage("/nsm/client/progress", [.float(1)]))
    #expect(NSMClientMessage.isDirty(true).osc == OSCMessage("/nsm/client/is_dirty"))
    #expect(NSMClientMessage.isDirty(false).osc == OSCMessage("/nsm/client/is_clean"))
    #expect(
      NSMClientMessage.message(priority: 3, "\u{1b}[2J").osc
        == OSCMessage("/nsm/client/message", [.int32(3), .string("\\u{1b}[2J")]))
    #expect(NSMClientMessage.label("a").osc == OSCMessage("/nsm/client/label", [.string("a")]))
    // A message of any length fits one datagram.
    let long = NSMClientMessage.reply(.open, String(repeating: "𝄞", count: 100_000)).osc
    #expect(long.bytes.count < 16_000)
  }

  @Test func onlyPlacesAndNamesThatCanBeAreTried() {
    func fault(_ path: String, _ id: String = "Auricle.nABCD") -> NSMFailure? {
      NSMProject(path: path, displayName: "", clientID: id).fault
    }
    #expect(fault("/a/b") == nil && fault("/a b/ü") == nil)
    for path in ["", "a", "./a", "/", "/a/"] {
      #expect(fault(path)?.number == NSMFailure.Code.createFailed.rawValue, "\(path)")
    }
    for id in ["", "a:b", "a/b", "a\nb", String(repeating: "x", count: 64)] {
      #expect(fault("/a", id)?.number == NSMFailure.Code.general.rawValue, "\(id)")
    }
    #expect(fault("/a", String(repeating: "x", count: 63)) == nil)
  }

  @Test func progressGoesOnceFromBeginningToEnd() {
    let progress = NSMProgress(of: 2)
    let (a, b) = (URL(fileURLWithPath: "/a"), URL(fileURLWithPath: "/b"))
    var told: [Float] = []
    for file in [a, b] {
      for part in 0...1000 {
        if let all = progress.take(file, Double(part) / 1000) { told.append(all) }
      }
    }
    #expect(told == told.sorted() && told.count > 90 && told.count <= 101)
    #expect(abs((told.last ?? 0) - 1) < 0.011)
    // More files than expected do not exceed the end.
    let more = NSMProgress(of: 0)
    for file in [a, b, a] { #expect(more.take(file, 1).map { $0 <= 1 } ?? true) }
  }

  @Test func onlyAServerThatAnswersPingsCountsAsSilent() {
    let (life, start) = (NSMServerLife(), ContinuousClock.now)
    life.take(OSCMessage("/nsm/client/save"), at: start)
    #expect(life.silence(at: start + .seconds(100)) == nil)
    life.take(OSCMessage("/reply", [.string("/osc/ping")]), at: start + .seconds(1))
    #expect(life.silence(at: start + .seconds(3)) == .seconds(2))
    // Any message of the server proves that it is alive.
    life.take(OSCMessage("/nsm/client/save"), at: start + .seconds(10))
    #expect(life.silence(at: start + .seconds(11)) == .seconds(1))
    #expect(NSMClientMessage.ping.osc == OSCMessage("/osc/ping"))
  }

  @Test func onlyTheServerIsHeard() throws {
    func place(_ address: String, _ port: Int) throws -> OSCEndpoint {
      try #require(OSCEndpoint(address: address, port: port))
    }
    let own = try place("127.0.0.1", 0)
    // A server at another of this machine's addresses, as on Debian.
    let server = try place("127.0.1.1", 9000)
    #expect(NSMLink.isServer(server, at: server, own))
    #expect(NSMLink.isServer(try place("127.0.0.1", 9000), at: server, own))
    #expect(!NSMLink.isServer(try place("127.0.0.1", 9001), at: server, own))
    #expect(!NSMLink.isServer(try place("192.168.1.7", 9000), at: server, own))
    let (far, here) = (try place("192.168.1.7", 9000), try place("192.168.1.2", 0))
    #expect(NSMLink.isServer(far, at: far, here))
    #expect(!NSMLink.isServer(try place("127.0.0.1", 9000), at: far, here))
  }
}

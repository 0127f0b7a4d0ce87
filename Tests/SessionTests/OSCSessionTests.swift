// OSC in a running session.

import Configuration
import SessionTestSupport
import Synchronization
import TestSupport
import Testing

@testable import OSC
@testable import Remotes
@testable import Session
@testable import SessionModel

@Suite struct OSCSessionTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func queriesAreAnsweredAndMistakesAreReported() async throws {
    let file = try directory.write(Configurations.filter(), to: "session.toml")
    let osc = try SessionOSC(OSCConfiguration(port: Located(0, at: .nowhere)), units: ["lowpass"])
    defer { osc.close() }
    let session = try await SteppedSession(file, osc: osc)
    let sender = try OSCTestSender(to: osc.places[0])
    let cutoff = OSCMessage("/lowpass/cutoff", [.float(900)])
    #expect(try await sender.ask("/lowpass/cutoff") == cutoff)
    #expect(
      try await sender.ask("/auricle/list")
        == OSCMessage("/auricle/list", [.string("lowpass"), .string("filter")]))
    try sender.send(OSCMessage("/auricle/bypass/lowpass", [.boolean(true)]))
    #expect(
      try await sender.ask("/auricle/bypass/lowpass")
        == OSCMessage("/auricle/bypass/lowpass", [.int32(1)]))
    #expect(
      try await sender.ask("/lowpass/cutoff", .float(5))
        == OSCMessage(
          "/auricle/error",
          [
            .string("/lowpass/cutoff"),
            .string("cutoff = 5 is out of range; accepted: 12 to 20000 Hz"),
          ]))
    let unknown = try await sender.ask("/lowpas/cutoff", .float(500))
    #expect(unknown.arguments.contains { "\($0)".contains("did you mean") })
    #expect(try await sender.ask("/lowpass/cutoff") == cutoff)
    let counted = "OSC messages that were refused, the first from"
    guard case .status(let status) = try await session.askAtOnce(.status) else { return }
    #expect(status.counts.contains { $0.contains(counted) }, "\(status.counts)")
    await session.step(50_000)
    #expect(session.log.text.contains("warning: \(counted)"), "\(session.log.text)")
    #expect(await session.end() == nil)
  }

  @Test func aSubscriptionBeginsWithTheCurrentValue() async throws {
    let file = try directory.write(Configurations.filter(), to: "session.toml")
    let osc = try SessionOSC(OSCConfiguration(port: Located(0, at: .nowhere)), units: ["lowpass"])
    defer { osc.close() }
    let session = try await SteppedSession(file, osc: osc)
    let sender = try OSCTestSender(to: osc.places[0])
    try sender.send(OSCMessage("/auricle/subscribe", [.string("/lowpass/cutoff")]))
    #expect(try await sender.answer() == OSCMessage("/lowpass/cutoff", [.float(900)]))
    #expect(await session.end() == nil)
  }

  /// Finding a suggestion takes time.
  @Test func unknownNamesAreExplainedOnlySoOften() async throws {
    let file = try directory.write(Configurations.filter(), to: "session.toml")
    let osc = try SessionOSC(OSCConfiguration(port: Located(0, at: .nowhere)), units: ["lowpass"])
    defer { osc.close() }
    let session = try await SteppedSession(file, osc: osc)
    let sender = try OSCTestSender(to: osc.places[0])
    osc.state.withLock { $0.explanations = OSCBudget(atOnce: 1, perSecond: 0) }
    let unknown = try await sender.ask("/lowpas/cutoff", .float(500))
    #expect(unknown.arguments.contains { "\($0)".contains("did you mean") })
    for message in [
      OSCMessage("/lowpas/cutoff", [.float(500)]), OSCMessage("/lowpas/cutoff"),
      OSCMessage("/auricle/subscribe", [.string("/lowpas")]),
    ] { try sender.send(message) }
    // The next answer is this one: the messages before it get none.
    #expect(
      try await sender.ask("/lowpass/cutoff") == OSCMessage("/lowpass/cutoff", [.float(900)]))
    #expect(osc.state.withLock { $0.counts[.refused] } == 4)
    #expect(await session.end() == nil)
  }

  /// A spent budget grows again with time, never beyond its initial value.
  @Test func aBudgetGrowsAgainByTheSecond() {
    var budget = OSCBudget(atOnce: 4, perSecond: 2)
    let start = ContinuousClock.now
    let spent = [0, 0.25, 1.75, 60].map { seconds in
      (0..<10).count { _ in budget.spend(at: start + .seconds(seconds)) }
    }
    #expect(spent == [4, 0, 3, 4])
  }

  /// The session watches for one of two equal subscriptions.
  @Test func aSubscriptionThatIsRenewedEndsTheOneBefore() throws {
    let osc = try SessionOSC(OSCConfiguration(port: Located(0, at: .nowhere)), units: [])
    defer { osc.close() }
    let place = try #require(OSCEndpoint(address: "127.0.0.1", port: 1))
    let peer = OSCPeer(place: place, connection: nil)
    let ended = Mutex<[Int]>([])
    for number in 1...3 {
      #expect(osc.subscribe(peer, to: "a", for: peer))
      osc.keep({ ended.withLock { $0.append(number) } }, of: peer, "a")
      #expect(ended.withLock { $0 } == Array(1..<number))
    }
    // A watch whose subscription no longer exists ends at once.
    osc.keep({ ended.withLock { $0.append(9) } }, of: peer, "b")
    #expect(ended.withLock { $0 } == [1, 2, 9])
  }
}

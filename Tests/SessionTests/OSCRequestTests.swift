// Requests made from OSC messages, and their times.

import Configuration
import Foundation
import SessionTestSupport
import TestSupport
import Testing
import UnitModel

@testable import JackBackend
@testable import OSC
@testable import Remotes
@testable import Session
@testable import SessionModel

@Suite struct OSCRequestTests {
  private func request(_ address: String, _ arguments: OSCArgument...) throws -> OSCRequest {
    try OSCRequest(OSCMessage(address, arguments))
  }

  private func refusal(_ address: String, _ arguments: OSCArgument...) -> String {
    do throws(SessionCommandError) {
      Issue.record("\(address): \(try OSCRequest(OSCMessage(address, arguments)))")
      return ""
    } catch { return error.description }
  }

  @Test func addressesArePathsAndArgumentsAreValues() throws {
    let path = "piano/midi/transpose/semitones"
    for argument: OSCArgument in [.int32(3), .int64(3), .float(3), .double(3)] {
      #expect(
        try request("/" + path, argument) == .command(.set(path: path, value: .number(3))))
    }
    #expect(
      try request("/" + path, .boolean(true)) == .command(.set(path: path, value: .boolean(true))))
    #expect(
      try request("/" + path, .string("2 kHz"), .float(250))
        == .command(.set(path: path, value: .string("2 kHz"), rampMilliseconds: 250)))
    #expect(try request("/" + path) == .command(.list(path: path)))
    #expect(
      try request("/auricle/bypass/piano", .float(1))
        == .command(.bypass(unit: "piano", isOn: true)))
    #expect(
      try request("/auricle/bypass/piano", .boolean(false))
        == .command(.bypass(unit: "piano", isOn: false)))
    #expect(try request("/auricle/bypass/piano") == .unit(id: "piano", .bypass))
    #expect(
      try request("/auricle/preset/piano", .string("Warm"))
        == .command(.preset(unit: "piano", .load("Warm"))))
    #expect(
      try request("/auricle/entry/piano", .float(2)) == .command(.entry(unit: "piano", .number(2))))
    #expect(
      try request("/auricle/entry/piano", .string("Organ"))
        == .command(.entry(unit: "piano", .name("Organ"))))
    #expect(try request("/auricle/panic") == .command(.panic))
    // A button's release.
    #expect(try request("/auricle/panic", .float(0)) == .nothing)
    #expect(
      try request("/auricle/subscribe", .int32(9001), .string("/piano"), .string("lowpass/cutoff"))
        == .subscribe(paths: ["piano", "lowpass/cutoff"], port: 9001))
  }

  @Test func invalidRequestsAreRefusedWithTheAcceptedForms() {
    #expect(refusal("/piano/gain", .float(.nan)).contains("argument 1 is nan"))
    #expect(refusal("/piano/gain", .double(.infinity)).contains("finite"))
    #expect(refusal("/piano/gain", .other("N")).contains("type 'N'"))
    #expect(refusal("/piano/gain", .float(1), .string("x")).contains("a ramp in milliseconds"))
    #expect(refusal("/piano/gain", .float(1), .float(1), .float(1)).contains("3 arguments"))
    #expect(refusal("/*/gain", .float(1)).contains("a pattern"))
    #expect(refusal("/auricle/entry/piano", .float(1.5)).contains("an entry's name or number"))
    #expect(refusal("/auricle/entry/piano", .double(1e300)).contains("an entry's name or number"))
    #expect(refusal("/auricle/subscribe").contains("paths of units"))
    #expect(refusal("/auricle/subscribe", .int32(70_000)).contains("a port, 1 to 65535"))
    #expect(refusal("/auricle/bypass").contains("/auricle/bypass/UNIT"))
    #expect(refusal("/auricle/stat").contains("did you mean '/auricle/status'?"))
    #expect(refusal("/auricle").contains("accepted: /auricle/bypass/UNIT"))
  }

  @Test(arguments: [
    ("bypass/piano", 2, "1, 0, true or false"), ("preset/piano", 2, "a preset's name"),
    ("presets/piano", 1, "nothing"), ("entry/piano", 2, "an entry's name or number"),
    ("scene", 0, "a scene's name"), ("scene", 2, "a scene's name"), ("scenes", 1, "nothing"),
    ("panic", 2, "nothing, or 1"), ("status", 1, "nothing"),
    ("save", 1, "nothing: the session's own file is written"),
    ("undo", 2, "nothing, or a number of steps"), ("redo", 2, "nothing, or a number of steps"),
    ("list", 2, "nothing, or a path"),
  ])
  func asManyArgumentsAreTakenAsThereAre(address: String, count: Int, accepted: String) {
    let message = OSCMessage("/auricle/" + address, Array(repeating: .int32(1), count: count))
    #expect {
      try OSCRequest(message)
    } throws: {
      "\($0)" == "\(count) arguments; accepted: \(accepted)"
    }
  }

  /// Files are reserved for clients of the machine's own socket.
  @Test func noMessageLeadsToAFile() {
    #expect(
      refusal("/auricle/soundfont", .string("/etc/passwd")).contains("not for the network"))
    #expect(refusal("/auricle/save", .string("/tmp/x")).contains("the session's own file"))
    for address in ["soundfont/piano", "preset/piano/save", "preset/../x", "save/x"] {
      #expect(refusal("/auricle/\(address)", .string("/tmp/x")).contains("unknown address"))
    }
  }
}

/// The OSC front end without a session, and a socket that sends to it.
@Suite struct SessionOSCTests {
  private let osc: SessionOSC
  private let sender: OSCTestSender

  init() throws {
    osc = try SessionOSC(
      OSCConfiguration(port: Located(0, at: SourcePosition(file: "--osc"))), units: ["piano"])
    sender = try OSCTestSender(to: osc.places[0])
  }

  private func counts(_ count: OSCCounts.Count) -> Int { osc.state.withLock { $0.counts[count] } }

  /// Waits until the front end has received all messages sent so far.
  private func settle() async throws {
    let before = counts(.malformed)
    sender.send(bytes: [0])
    try #require(await eventually { counts(.malformed) > before })
  }

  @Test func aFloodIsOneValueOfEachParameter() async throws {
    for value in 0..<5000 {
      try sender.send(OSCMessage("/piano/gain", [.int32(Int32(value))]))
      try sender.send(OSCMessage("/piano/pan", [.int32(Int32(value))]))
      // A socket buffers some messages and drops the rest.
      if value % 50 == 49 { try await settle() }
    }
    let tasks = osc.take(cycles: nil, nil).map(\.task.request)
    #expect(
      tasks == [
        .command(.set(path: "piano/gain", value: .number(4999))),
        .command(.set(path: "piano/pan", value: .number(4999))),
      ])
    #expect(counts(.replaced) == 9998 && counts(.full) == 0)
  }

  @Test func theLastValueStaysAfterOtherRequests() async throws {
    try sender.send(OSCMessage("/piano/gain", [.int32(1)]))
    try sender.send(OSCMessage("/auricle/preset/piano", [.string("Warm")]))
    try sender.send(OSCMessage("/piano/gain", [.int32(2)]))
    // Each undo counts.
    for _ in 0..<2 { try sender.send(OSCMessage("/auricle/undo")) }
    try await settle()
    #expect(
      osc.take(cycles: nil, nil).map(\.task.request) == [
        .command(.preset(unit: "piano", .load("Warm"))),
        .command(.set(path: "piano/gain", value: .number(2))), .command(.undo(steps: 1)),
        .command(.undo(steps: 1)),
      ])
  }

  @Test func aValueBehindOneThatWasTakenReplacesNothing() async throws {
    for value in 1...2 {
      try sender.send(OSCMessage("/piano/gain", [.int32(Int32(value))]))
      try await settle()
      #expect(
        osc.take(cycles: value, nil).map(\.task.request)
          == [.command(.set(path: "piano/gain", value: .number(Double(value))))])
    }
    #expect(counts(.replaced) == 0)
  }

  /// Room is made by accepted and by refused commands.
  @Test func finishedLoadsMakeRoom() async throws {
    for number in 0..<3 * SessionOSC.maximumSlow {
      try sender.send(OSCMessage("/auricle/preset/unit\(number)", [.string("Warm")]))
    }
    try await settle()
    var cycles = 0
    func take() -> [OSCTask] {
      cycles += 1
      return osc.take(cycles: cycles, nil).map(\.task)
    }
    var loading = take()
    #expect(loading.count == SessionOSC.maximumSlow)
    #expect(take().isEmpty)
    osc.answer(.success(.done), to: loading.removeFirst())
    osc.answer(.failure(SessionCommandError("no such preset")), to: loading.removeFirst())
    loading += take()
    #expect(loading.count == SessionOSC.maximumSlow)
    #expect(take().isEmpty)
    for task in loading { osc.answer(.success(.done), to: task) }
    loading = take()
    #expect(loading.count == SessionOSC.maximumSlow)
    for task in loading { osc.answer(.success(.done), to: task) }
    loading = take()
    let last = 3 * SessionOSC.maximumSlow - 1
    #expect(loading.last?.request == .command(.preset(unit: "unit\(last)", .load("Warm"))))
    #expect(loading.count == SessionOSC.maximumSlow - 2)
  }

  @Test func theQueueIsBoundedAndTakenInBatches() async throws {
    for number in 0..<5000 {
      try sender.send(OSCMessage("/piano/p\(number)", [.int32(1)]))
      if number % 50 == 49 { try await settle() }
    }
    #expect(counts(.full) == 5000 - OSCInbox.maximumTasks)
    let now = ContinuousClock.now
    #expect(osc.take(cycles: 1, nil, now: now).count == SessionOSC.maximumBatch)
    // No other batch is taken before the next cycle if the server is running.
    #expect(osc.take(cycles: 1, nil, now: now + .milliseconds(199)).isEmpty)
    #expect(osc.take(cycles: 2, nil, now: now).count == SessionOSC.maximumBatch)
    #expect(
      osc.take(cycles: 2, nil, now: now + .milliseconds(200)).count == SessionOSC.maximumBatch)
    // Loads may take any time. Their number at once is limited, and other tasks overtake them.
    for _ in 3..<12 { _ = osc.take(cycles: nil, nil) }
  }

  /// Changes of one cycle are one batch. Queries cost the units nothing.
  @Test func requestsWaitForTheNextCycleAfterAChangeAndNotAfterAQuery() async throws {
    let now = ContinuousClock.now
    func taken(_ message: OSCMessage) async throws -> Int {
      try sender.send(message)
      try await settle()
      return osc.take(cycles: 1, nil, now: now).count
    }
    let (question, change) = (OSCMessage("/piano/gain"), OSCMessage("/piano/gain", [.int32(1)]))
    #expect(try await taken(question) == 1)
    #expect(try await taken(question) == 1)
    #expect(try await taken(change) == 1)
    #expect(try await taken(question) == 0)
    #expect(osc.take(cycles: 2, nil, now: now).count == 1)
  }

  @Test func aBundlesTimeIsAFrame() async throws {
    let now = SessionOSC.unixMicroseconds
    let moment = HostMoment(
      unixMicroseconds: now, frame: 1_000_000, sampleRate: 48_000, nextFrame: 1_000_256)
    func bundle(_ milliseconds: Int64, _ messages: OSCMessage...) throws {
      let time = OSCTimeTag(unixMicroseconds: now + milliseconds * 1000 + 1)
      try sender.send(bundle: messages, at: time)
    }
    try bundle(-5, OSCMessage("/piano/late", [.int32(1)]))
    try bundle(3_700_000, OSCMessage("/piano/far", [.int32(1)]))
    try bundle(90_000, OSCMessage("/piano/later", [.int32(1)]))
    try bundle(50_000, OSCMessage("/piano/b", [.int32(1)]), OSCMessage("/piano/c", [.int32(1)]))
    try bundle(50_000, OSCMessage("/piano/b", [.int32(2)]), OSCMessage("/auricle/panic"))
    try bundle(49_500, OSCMessage("/piano/a", [.int32(1)]))
    try await settle()
    #expect(counts(.late) == 1)
    #expect(counts(.refused) == 1)

    let first = osc.take(cycles: 1, moment)
    #expect(first.map(\.task.address) == ["/piano/late"] && first.first?.frame == nil)
    // 50 ms before the messages' time, on the frame that JACK has then.
    var near = moment
    near.unixMicroseconds = now + 49_950_000
    near.frame = moment.frame + 2_397_600
    near.nextFrame = near.frame + 256
    #expect(SessionOSC.lookahead(of: near) > 100_000)
    let tasks = osc.take(cycles: 2, near, at: near.unixMicroseconds)
    #expect(tasks.map(\.task.address) == ["/piano/a", "/piano/c", "/piano/b"])
    // The time of the first has passed: it is done at once, and counted as late.
    #expect(tasks.map(\.frame) == [nil, 3_400_000, 3_400_000])
    #expect(counts(.late) == 2)
    // A task without a frame is done at its time.
    let panic = osc.take(cycles: 3, near, at: now + 50_000_001)
    #expect(panic.map(\.task.request) == [.command(.panic)])
  }

  @Test func oneHostLeavesTheOthersRoomForTheirTimes() async throws {
    let now = SessionOSC.unixMicroseconds
    let far = OSCTimeTag(unixMicroseconds: now + 3_500_000_000)
    let room = OSCInbox.maximumTimedOfHost
    for number in 0..<room + 76 {
      try sender.send(bundle: [OSCMessage("/piano/p\(number)", [.int32(1)])], at: far)
      if number % 50 == 49 { try await settle() }
    }
    #expect(counts(.full) == 76)
    let answer = try await sender.answer()
    #expect(
      answer.address == "/auricle/error"
        && answer.arguments == [
          .string("/piano/p\(room)"),
          .string(
            "too many messages wait for their time; accepted: 1024 of one host, 4096 of all"),
        ])
    // Another port is the same host.
    let port = try OSCTestSender(to: osc.places[0])
    try port.send(bundle: [OSCMessage("/piano/port", [.int32(1)])], at: far)
    try await settle()
    #expect(counts(.full) == 77)
    // Another host has its own room.
    let other = try OSCTestSender(to: osc.places[0], from: "127.0.0.2")
    let soon = OSCTimeTag(unixMicroseconds: now + 600_000_000)
    try other.send(bundle: [OSCMessage("/piano/gain", [.int32(1)])], at: soon)
    // The malformed packet is read after the bundle, from the same socket.
    try await settle()
    #expect(counts(.full) == 77)
    let moment = HostMoment(
      unixMicroseconds: now + 599_990_000, frame: 1_000_000, sampleRate: 48_000,
      nextFrame: 1_000_256)
    let tasks = osc.take(cycles: 1, moment, at: moment.unixMicroseconds)
    #expect(tasks.map(\.task.address) == ["/piano/gain"])
    #expect(tasks.first?.frame == 1_000_480)
  }

  @Test func theRoomOfAllHostsIsBounded() throws {
    var inbox = OSCInbox()
    func time(_ host: Int, _ number: Int) -> OSCTimeTag {
      OSCTimeTag(unixMicroseconds: Int64(host * 2000 + number))
    }
    func task(_ host: Int, _ number: Int) throws -> OSCTask {
      let message = OSCMessage("/piano/p\(host)_\(number)", [.int32(1)])
      let peer = OSCPeer(at: try #require(OSCEndpoint(address: "10.0.0.\(host)", port: number + 1)))
      let request = try OSCRequest(message)
      return OSCTask(
        request: request, peer: peer, address: message.address, time: time(host, number),
        subject: request.subject(of: peer, message))
    }
    let hosts = OSCInbox.maximumTimed / OSCInbox.maximumTimedOfHost
    for host in 1...hosts {
      for number in 0..<OSCInbox.maximumTimedOfHost {
        try #require(inbox.addTimed(task(host, number)) == .taken)
      }
      #expect(try inbox.addTimed(task(host, OSCInbox.maximumTimedOfHost)) == .full)
    }
    #expect(try inbox.addTimed(task(hosts + 1, 0)) == .full)
    // A new value of a waiting parameter needs no room.
    #expect(try inbox.addTimed(task(1, 0)) == .replaced)
    // Taken tasks leave room.
    #expect(inbox.takeTimed(1, until: time(1, 0)) { _ in true }.count == 1)
    #expect(try inbox.addTimed(task(hosts + 1, 0)) == .taken)
    #expect(try inbox.addTimed(task(hosts + 1, 1)) == .full)
  }

  @Test func theQuestionsOfASenderThatHasGoneAreDropped() throws {
    var inbox = OSCInbox()
    let gone = OSCPeer(at: try #require(OSCEndpoint(address: "10.0.0.1", port: 1)))
    let other = OSCPeer(at: try #require(OSCEndpoint(address: "10.0.0.2", port: 1)))
    func add(_ message: OSCMessage, of peer: OSCPeer) throws {
      let request = try OSCRequest(message)
      let task = OSCTask(
        request: request, peer: peer, address: message.address,
        time: OSCTimeTag(unixMicroseconds: 0), subject: request.subject(of: peer, message))
      #expect(inbox.add(task) == .taken)
    }
    try add(OSCMessage("/piano/gain", []), of: gone)
    try add(OSCMessage("/piano/pan", [.int32(1)]), of: gone)
    try add(OSCMessage("/piano/gain", []), of: other)
    inbox.forget(gone)
    let left = inbox.take(10) { _ in true }
    #expect(left.map(\.address) == ["/piano/pan", "/piano/gain"])
    #expect(left.map { $0.peer == other } == [false, true])
    #expect(inbox.isEmpty)
  }

  @Test func aServersCounterThatWrapsIsFollowed() {
    let latest: Int64 = 5_000_000_000
    let offset = latest - 4_294_967_290
    func frame(_ counter: UInt32) -> Int64 {
      JackMoment.frame(counter: counter, latest: latest, offset: offset)
    }
    #expect(frame(4_294_967_290) == latest)
    #expect(frame(4) == latest + 10)
    #expect(frame(4_294_967_280) == latest - 10)
    let moment = HostMoment(
      unixMicroseconds: 0, frame: latest, sampleRate: 44_100, nextFrame: latest)
    #expect(moment.frame(atUnixMicroseconds: 1_000_000) == latest + 44_100)
    #expect(moment.frame(atUnixMicroseconds: .max) == .max)
    #expect(moment.frame(atUnixMicroseconds: .min) == 0)
  }

  @Test func subscriptionsEndWithoutBeingRenewed() throws {
    let rig = try SubscriberRig()
    for port in 1...OSCSubscribers.maximumSubscribers {
      #expect(rig.add(port, "piano") != nil)
    }
    #expect(rig.add(99, "piano") == nil)
    for path in 2...OSCSubscribers.maximumPaths { #expect(rig.add(1, "piano/\(path)") != nil) }
    #expect(rig.add(1, "lowpass") == nil)
    for port in 1...2 { #expect(rig.keep(port, "piano")) }
    // Renewed: the former subscription is ended.
    #expect(rig.add(2, "piano", after: 30) == 1)
    #expect(rig.expire(after: 61) == 1)
    rig.post(1, 1)
    rig.post(2, 2)
    #expect(rig.take(after: 61).map(\.value) == [.float(2)])
  }

  /// Values beyond a limit wait for their turn, whatever changes meanwhile.
  @Test func everyValueArrivesUnderALimit() throws {
    let rig = try SubscriberRig()
    #expect(rig.add(1, "piano") != nil)
    rig.post(1, 1)
    #expect(rig.take(after: 0, budget: 0).isEmpty && rig.hasNews)
    rig.post(1, 2, "pan")
    rig.post(1, 3)
    #expect(rig.take(after: 0, budget: 1).map(\.value) == [.float(3)])
    rig.post(1, 4)
    #expect(rig.take(after: 0, budget: 1).map(\.value) == [.float(2)])
    #expect(rig.take(after: 0).map(\.value) == [.float(4)] && !rig.hasNews)
  }

  @Test func theSenderOfAValueDoesNotGetItBack() throws {
    let rig = try SubscriberRig()
    for port in 1...2 { #expect(rig.add(port, "piano") != nil) }
    rig.note(1, 2)
    for port in 1...2 { rig.post(port, 2) }
    #expect(rig.take(after: 0).map(\.port) == [2])
    #expect(rig.hasNews)
    #expect(rig.take(after: 1).isEmpty && !rig.hasNews)
    // A value that changed meanwhile is sent once the sender is at rest.
    rig.note(1, 2)
    rig.post(1, 1)
    #expect(rig.take(after: 0).isEmpty)
    #expect(rig.take(after: 1).map(\.value) == [.float(1)])
  }
}

/// Subscribers at ports of this machine, and a parameter. Times are in seconds.
private final class SubscriberRig {
  private var subscribers = OSCSubscribers()
  private let place: OSCEndpoint
  private let start = ContinuousClock.now

  init() throws { place = try #require(OSCEndpoint(address: "127.0.0.1", port: 1)) }

  private func peer(_ port: Int) -> OSCPeer {
    var place = place
    place.port = port
    return OSCPeer(place: place, connection: nil)
  }

  var hasNews: Bool { subscribers.hasNews }

  func add(_ port: Int, _ path: String, after seconds: Int = 0) -> Int? {
    subscribers.add(peer(port), path, for: peer(port), at: start + .seconds(seconds))?.count
  }

  func keep(_ port: Int, _ path: String) -> Bool {
    subscribers.keep({}, of: peer(port), path)
  }

  func expire(after seconds: Int) -> Int {
    subscribers.expire(at: start + .seconds(seconds)).count
  }

  func note(_ port: Int, _ value: Float) {
    subscribers.note("piano/gain", value, by: peer(port), at: start)
  }

  func post(_ port: Int, _ value: Float, _ identifier: String = "gain") {
    let parameter = Parameter(
      identifier: identifier, name: "Gain", address: 0, range: 0...9, unit: .decibels)
    subscribers.post(
      .change(ParameterReading(parameter, of: "piano", value: value)), to: peer(port))
  }

  /// - Parameter budget: the number of values that may be sent.
  func take(after seconds: Int, budget: Int = 100) -> [(port: Int, value: OSCArgument)] {
    var left = budget
    return subscribers.take(10, at: start + .seconds(seconds)) { _ in
      left -= 1
      return left >= 0
    }.map { ($0.peer.place.port, $0.value) }
  }
}

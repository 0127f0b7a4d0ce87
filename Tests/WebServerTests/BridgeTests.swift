// Pages and the sessions behind them.

import ControlSocket
import Foundation
import Remotes
import SessionModel
import SessionTestSupport
import TestSupport
import Testing

@testable import WebServer

@Suite struct BridgeTests {
  private let test: TestServer

  init() throws { test = try TestServer() }

  private func errorText(_ message: [String: Any]) -> String? {
    (message["error"] as? [String: Any])?["message"] as? String
  }

  private func value(_ notice: [String: Any]) -> Int? {
    (notice["change"] as? [String: Any])?["value"] as? Int
  }

  @Test func requestsAreAnsweredByTheirNumbers() throws {
    let session = try StandIn("stage", in: test.folder)
    let client = try WebSocketClient(test)
    #expect(try client.sessions() == ["stage"])
    for number in 0..<50 {
      let answer = try client.ask("stage", "{\"command\":\"get\",\"path\":\"a/\(number)\"}")
      let seen = (answer["answer"] as? [String: Any])?["seen"] as? [String: Any]
      #expect(seen?["path"] as? String == "a/\(number)")
    }
    #expect(errorText(try client.ask("stage", "{\"command\":\"undo\"}")) == "nothing to undo")
    #expect(session.requests.count == 51)
    #expect(session.requests.allSatisfy { $0.hasPrefix("browser 1: ") })
    // Another page is another client.
    _ = try WebSocketClient(test).ask("stage", "{\"command\":\"panic\"}")
    #expect(session.requests.last == "browser 2: {\"command\":\"panic\"}")
  }

  @Test func whatIsNoRequestOfTheProtocolIsRefused() throws {
    let session = try StandIn("stage", in: test.folder)
    let client = try WebSocketClient(test)
    for (name, request) in [
      ("other", "{\"command\":\"status\"}"), ("../stage", "{\"command\":\"status\"}"),
      ("stage", "{\"command\":\"hello\",\"name\":\"x\"}"), ("stage", "{\"command\":\"quit\"}"),
      ("stage", "{}"), ("stage", "[]"), ("stage", "{\"command\":1}"),
    ] {
      #expect(errorText(try client.ask(name, request)) != nil, "\(name) \(request)")
    }
    #expect(session.requests.isEmpty)
  }

  @Test func aSlowAnswerDoesNotDelayNews() throws {
    let session = try StandIn("stage", in: test.folder)
    let client = try WebSocketClient(test)
    client.send(
      "{\"id\":900,\"session\":\"stage\",\"request\":{\"command\":\"journal\"}}")
    _ = try client.ask("stage", "{\"command\":\"watch\",\"paths\":[\"a\"]}")
    session.change("a/b", 7)
    let news = try client.notice { $0["change"] != nil }
    #expect(news["from"] as? String == "stage" && value(news) == 7)
    session.answerHeld()
    #expect(try client.answer(to: 900)["answer"] as? [String: Int] == ["late": 1])
  }

  @Test func learningDoesNotDelayOtherRequests() throws {
    let session = try StandIn("stage", in: test.folder)
    let client = try WebSocketClient(test)
    client.send(
      "{\"id\":900,\"session\":\"stage\",\"request\":{\"command\":\"learn\",\"path\":\"a/b\"}}")
    _ = try client.ask("stage", "{\"command\":\"panic\"}")
    session.answerHeld()
    #expect(try client.answer(to: 900)["answer"] as? [String: Int] == ["late": 1])
  }

  @Test func aPageThatDoesNotReadGetsTwoTicksAndThenTheLastValues() throws {
    let session = try StandIn("stage", in: test.folder)
    let client = try WebSocketClient(test)
    client.acknowledges = false
    _ = try client.ask("stage", "{\"command\":\"watch\",\"paths\":[\"a\"]}")
    for tick in 1...2 {
      session.change("a/x", tick)
      #expect(value(try client.notice { $0["change"] != nil }) == tick)
    }
    for number in 3...2000 { for path in ["a/x", "a/y"] { session.change(path, number) } }
    // An answer of the session comes after all that: whatever was to be sent would be before it.
    for _ in 0..<100 { _ = try client.ask("stage", "{\"command\":\"panic\"}") }
    #expect(client.ticks == [1, 2])
    client.acknowledges = true
    client.acknowledge(1)
    client.acknowledge(2)
    var last: [String: Int] = [:]
    while last != ["a/x": 2000, "a/y": 2000] {
      let change = try client.notice { $0["change"] != nil }["change"] as? [String: Any]
      last[try #require(change?["path"] as? String)] = change?["value"] as? Int
    }
    // Each tick had the last value of each only.
    #expect(client.ticks.count < 1000)
  }

  @Test func ticksAreCoalescedBySubject() {
    var queue = TickQueue()
    for number in 0..<1000 {
      queue.add(Array("\(number)".utf8), about: "a")
      queue.add(Array("[\(number)]".utf8), about: "b")
    }
    let first = queue.take().map { String(decoding: $0, as: UTF8.self) }
    #expect(first == "{\"tick\":1,\"notices\":[999,[999]]}")
    #expect(queue.take() == nil)
    queue.add([49], about: "a")
    #expect(queue.take() != nil)
    queue.add([50], about: "a")
    #expect(queue.take() == nil)
    #expect(!queue.acknowledge(3) && queue.acknowledge(2) && !queue.acknowledge(2))
    #expect(queue.take() != nil)
  }

  /// Events of MIDI are none that newer ones replace: those without room are counted.
  @Test func ticksHaveAllEventsOrTheirNumber() throws {
    func notice(_ number: Int) -> [UInt8] {
      let events = (0..<number).map { "{\"bytes\":[248],\"frame\":\($0)}" }.joined(separator: ",")
      return Array(
        ("{\"from\":\"s\",\"midi\":{\"frame\":\(number),\"sampleRate\":48000,\"units\":"
          + "{\"a\":{\"events\":[\(events)],\"lost\":1}}}}").utf8)
    }
    var queue = TickQueue()
    for number in 1...10 {
      queue.append(notice(number), about: "s/midi", most: 3) { LostMIDI($0, $1, from: "s").line }
    }
    let taken = queue.take()
    let text = try #require(taken)
    let tick = try #require(JSONValue.read(text)?.object)
    let notices = try #require(tick["notices"]?.list)
    #expect(
      notices.prefix(2).map(Optional.some) == [
        JSONValue.read(notice(1)), JSONValue.read(notice(2)),
      ])
    // Those of 3 to 10, and what these had lost.
    #expect(
      notices.last
        == JSONValue.read(
          Array(
            ("{\"from\":\"s\",\"midi\":{\"frame\":10,\"sampleRate\":48000,\"units\":"
              + "{\"a\":{\"events\":[],\"lost\":60}}}}").utf8)))
    #expect(notices.count == 3)
  }

  @Test func aSessionThatEndsIsToldAndCanBeOpenedAgain() throws {
    var session: StandIn? = try StandIn("stage", in: test.folder)
    let client = try WebSocketClient(test)
    _ = try client.ask("stage", "{\"command\":\"watch\",\"paths\":[\"a\"]}")
    client.send("{\"id\":900,\"session\":\"stage\",\"request\":{\"command\":\"journal\"}}")
    while session?.requests.count != 2 { usleep(1000) }
    session?.close()
    session = nil
    #expect(errorText(try client.answer(to: 900)) == "the session 'stage' has ended")
    #expect(try client.notice { $0["ended"] != nil }["from"] as? String == "stage")
    #expect(try client.notice { $0["sessions"] != nil }["sessions"] as? [String] == [])
    #expect(errorText(try client.ask("stage", "{\"command\":\"status\"}")) != nil)
    let other = try StandIn("stage", in: test.folder)
    // Without a request of the page.
    #expect(try client.notice { $0["sessions"] != nil }["sessions"] as? [String] == ["stage"])
    _ = try client.ask("stage", "{\"command\":\"watch\",\"paths\":[\"a\"]}")
    other.change("a/b", 3)
    #expect(value(try client.notice { $0["change"] != nil }) == 3)
  }

  @Test func aPageThatGoesEndsItsConnections() throws {
    let session = try SessionSocket(name: "stage", in: test.folder)
    defer { session.close() }
    let stand = try StandIn("other", in: test.folder)
    // More than the 64 clients that a session serves.
    for _ in 0..<80 {
      let client = try WebSocketClient(test)
      #expect(errorText(try client.ask("other", "{\"command\":\"get\",\"path\":\"a\"}")) == nil)
      client.raw.send(WebSocketClient.frame(0x88, []))
      #expect(try client.closeCode() == 1000)
    }
    #expect(stand.requests.count == 80)
  }

  @Test func sessionsOfAPageHaveALimit() throws {
    let sessions = try (1...5).map { try StandIn("s\($0)", in: test.folder) }
    let client = try WebSocketClient(test)
    for number in 1...5 {
      let error = errorText(try client.ask("s\(number)", "{\"command\":\"panic\"}"))
      #expect((error == nil) == (number < 5), "\(number)")
    }
    #expect(sessions[4].requests.isEmpty)
  }

  @Test func guestsOnlyLook() throws {
    let session = try StandIn("stage", in: test.folder)
    let client = try WebSocketClient(test, .guest)
    for request in [
      "{\"command\":\"set\",\"path\":\"a/b\",\"value\":1}", "{\"command\":\"panic\"}",
      "{\"command\":\"preset\",\"unit\":\"a\",\"action\":\"load\",\"name\":\"x\"}",
      "{\"command\":\"map\",\"path\":\"a/b\",\"settings\":[]}", "{\"command\":\"save\"}",
      "{\"command\":\"together\",\"commands\":[{\"command\":\"panic\"}]}",
      "{\"command\":\"scene\",\"action\":\"load\",\"name\":\"x\"}",
      "{\"command\":\"midi\",\"unit\":\"a\",\"bytes\":[144,60,1]}",
    ] {
      let text = errorText(try client.ask("stage", request))
      #expect(text == "guests only look", "\(request)")
    }
    #expect(session.requests.isEmpty)
    for request in [
      "{\"command\":\"list\"}", "{\"command\":\"status\"}", "{\"command\":\"map\"}",
      "{\"command\":\"preset\",\"unit\":\"a\",\"action\":\"list\"}",
      "{\"command\":\"watch\",\"paths\":[\"a\"]}", "{\"command\":\"watch\",\"midi\":[\"a\"]}",
      "{\"command\":\"response\",\"unit\":\"a\"}",
    ] {
      #expect(errorText(try client.ask("stage", request)) == nil, "\(request)")
    }
    #expect(session.requests.allSatisfy { $0.hasPrefix("guest 1: ") })
  }

  @Test(arguments: [
    (#"{"command":"save","file":"/etc/x.toml"}"#, false), (#"{"command":"save"}"#, true),
    (#"{"command":"soundfont","unit":"a","file":"/etc/passwd"}"#, false),
    (#"{"command":"soundfont","unit":"a","file":"~/x.sf2"}"#, false),
    (#"{"command":"soundfont","unit":"a","file":"a/../../x.sf2"}"#, false),
    (#"{"command":"soundfont","unit":"a","file":"\u002fetc/x.sf2"}"#, false),
    (#"{"command":"soundfont","unit":"a","file":"TimGM6mb.sf2"}"#, true),
    (
      #"{"command":"add","unit":"a","component":"player","settings":["files=[\"/etc/x\"]"]}"#, false
    ),
    (
      #"{"command":"add","unit":"a","component":"player","settings":["files=['a','../x']"]}"#, false
    ),
    (#"{"command":"add","unit":"a","component":"player","settings":["file=/etc/x"]}"#, false),
    (
      #"{"command":"add","unit":"a","component":"player","settings":["file=\"\\u002fetc\""]}"#,
      false
    ),
    (#"{"command":"add","unit":"a","component":"player","settings":["file=songs/a.wav"]}"#, true),
    (#"{"command":"replace","unit":"a","component":"low-pass","settings":["cutoff=-0.5"]}"#, true),
    (
      #"{"command":"together","commands":[{"command":"add","unit":"a","component":"player","#
        + #""settings":["file=/etc/x"]}]}"#, false
    ),
    (#"{"command":"together","commands":[{"command":"together","commands":[]}]}"#, false),
    (#"{"command":"preset","unit":"a","action":"save","name":"../x"}"#, false),
    (#"{"command":"preset","unit":"a","action":"save","name":"warm"}"#, true),
  ])
  func filesOutsideAreRefused(_ request: String, _ isAccepted: Bool) throws {
    let object = try #require(JSONValue.read(Array(request.utf8))?.object)
    if isAccepted {
      #expect(throws: Never.self) { try RequestPolicy.check(object, .member) }
    } else {
      #expect(throws: RequestRefusal.self) { try RequestPolicy.check(object, .member) }
    }
  }

  @Test func aRequestIsWrittenAgainAsItWasRead() throws {
    let text =
      #"{"a":[1,-2.5,true,false,null,"ä\n/"],"b":{"frame":9007199254740993},"c":"0"}"#
    #expect(
      JSONValue.read(Array(text.utf8)).map { String(decoding: $0.line, as: UTF8.self) } == text)
    // The last of two equal keys is what is checked and what is sent.
    let twice = JSONValue.read(Array(#"{"command":"get","command":"save"}"#.utf8))
    #expect(twice?.object?.count == 1)
    let deep = String(repeating: "[", count: 30_000)
    #expect(JSONValue.read(Array(deep.utf8)) == nil)
  }

  @Test func aValueOfARealSessionMovesForAll() async throws {
    let file = test.directory.url.appendingPathComponent("session.toml")
    try """
    [[unit]]
    id = "lowpass"
    component = "filter"
    """.write(to: file, atomically: true, encoding: .utf8)
    let socket = try SessionSocket(name: "stage", in: test.folder)
    let session = try await SteppedSession(file, socket: socket)
    let (first, second) = (try WebSocketClient(test), try WebSocketClient(test))
    for client in [first, second] {
      let answer = try client.ask("stage", "{\"command\":\"watch\",\"paths\":[\"lowpass\"]}")
      #expect((answer["answer"] as? [String: Any])?["parameters"] != nil, "\(answer)")
    }
    let done = try first.ask(
      "stage", "{\"command\":\"set\",\"path\":\"lowpass/cutoff\",\"value\":800}")
    #expect(done["answer"] != nil, "\(done)")
    for client in [first, second] {
      let news = try client.notice { ($0["change"] as? [String: Any])?["value"] as? Int == 800 }
      #expect((news["change"] as? [String: Any])?["text"] as? String == "800")
    }
    let journal = try second.ask("stage", "{\"command\":\"journal\"}")
    #expect("\(journal)".contains("browser 1"))
    _ = await session.end()
  }
}

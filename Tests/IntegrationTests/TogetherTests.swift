// Several commands as one change of a playing session.

import ControlSocket
import Foundation
import Remotes
import SessionModel
import TestSupport
import Testing

@Suite(.serialized) struct TogetherTests {
  private let rig: ControlRig

  init() throws { rig = try ControlRig() }

  private struct Missing: Error {}

  private static let twoFilters = """
    [[unit]]
    id = "first"
    component = "filter"
    [[unit]]
    id = "second"
    component = "filter"
    [[connect]]
    from = "first"
    to = "second"
    """

  @Test func aUnitIsInsertedIntoAConnectionAsOneChange() async throws {
    let server = try await JackServer.start()
    let auricle = try await rig.run(Self.twoFilters, on: server)
    func receivers() throws -> [String] {
      (try rig.status()?.unitStatus ?? []).map { "\($0.id) \($0.receivers)" }.sorted()
    }
    let former = try receivers()
    #expect(former == [#"first ["second"]"#, "second []"])
    let inserted = [#"echo ["second"]"#, #"first ["echo"]"#, "second []"]
    _ = try await rig.ctl(
      "insert", "echo", "delay", "parameters.mix=30", "--between", "first", "second")
    #expect(try receivers() == inserted)
    #expect(try await rig.ctl("get", "echo/mix") == "30\n")
    _ = try await rig.ctl("undo")
    #expect(try receivers() == former)

    _ = try await rig.ctl("add", "echo", "delay")
    _ = try await rig.ctl("insert", "echo", "--between", "first", "second")
    #expect(try receivers() == inserted)
    _ = try await rig.ctl("undo", "2")
    _ = try await rig.ctl(
      "together", "insert", "echo", "delay", "--between", "first", "second", ",", "remove",
      "second")
    #expect(try receivers() == ["echo []", #"first ["echo"]"#])
    #expect(
      try await rig.refusal(
        "together", "insert", "echo", "--between", "first", "second", "--at", "9", ",", "remove",
        "echo", status: 2
      ).contains("--at comes before the commands"))
    _ = try await rig.ctl("undo")
    #expect(try receivers() == former)
    _ = try await rig.ctl("insert", "echo", "delay", "--between", "first", "second")
    // The connection has gone, and nothing of a second one is made.
    _ = try await rig.refusal("insert", "more", "delay", "--between", "first", "second")
    #expect(try receivers() == inserted)
    for ends in [["first"], ["first", "second", "more"]] {
      let child = try rig.start(["insert", "more", "delay", "--between"] + ends)
      #expect(try await child.wait() == .exited(2))
      #expect(child.standardError.contains("takes the two ends of a connection"))
    }
    try await auricle.expectEnd()
  }

  @Test func unitsAndConnectionsChangeAtOnceOrNotAtAll() async throws {
    let server = try await JackServer.start()
    let auricle = try await rig.run(
      """
      [client]
      name = "live"

      """ + Self.twoFilters, on: server)
    #expect(
      try await ctl(
        [
          "together", "--json", "remove", "second", ",", "add", "third", "filter",
          "parameters.cutoff=500", ",", "connect", "first", "third",
        ]).contains("\"frame\" : "))
    #expect(try await rig.ctl("list") == "first  filter\nthird  filter\n")
    #expect(
      try await rig.ctl("undo").hasPrefix("undone: second: removed, third: added, first conn"))
    #expect(try await rig.ctl("list") == "first   filter\nsecond  filter\n")

    let cutoff = try await rig.ctl("get", "first/cutoff")
    let command = "auricle: command 2: 'to' names no unit: 'fourth'"
    let wrong = try await rig.refusal(
      "together", "remove", "second", ",", "connect", "first", "fourth")
    #expect(wrong.hasPrefix(command), "\(wrong)")
    #expect(
      try await rig.refusal(
        "together", "set", "first/cutoff", "700", ",", "set", "second/cutoff", "5"
      ).hasPrefix("auricle: command 2: cutoff = 5 is out of range"))
    #expect(
      try await rig.refusal("together", "set", "first/cutoff", "700", ",", "remove", "second")
        .contains("combined with units, connections"))
    #expect(
      try await rig.refusal("together", "status", ",", "panic", status: 2).contains(
        "cannot be combined"))
    #expect(
      try await rig.refusal("together", "set", "first/cutoff", ",", "remove", "x", status: 2)
        .contains("'set first/cutoff'"))
    #expect(
      try await rig.refusal("together", "--at", "9", "remove", "second").contains("has passed"))
    #expect(
      try await rig.refusal("remove", "second", "--at", "9000000000").contains("60 seconds ahead"))
    #expect(
      try await rig.refusal(
        "together", "remove", "second", "--at", "9", ",", "remove", "first", status: 2
      ).contains("--at comes before"))
    #expect(try await rig.ctl("list") == "first   filter\nsecond  filter\n")
    #expect(try await rig.ctl("get", "first/cutoff") == cutoff)

    // A change on its frame, undone like any other. The frame is far enough ahead (15 s) that the
    // request arrives in time.
    let client = try rig.connect()
    try client.send(SessionWire.encode(.status))
    guard case .status(let status) = try SessionWire.answer(try client.nextLine()),
      let now = status.frame
    else { throw Missing() }
    try client.send(
      Array(#"{"command":"remove","unit":"second","frame":\#(now + 720_001)}"#.utf8))
    guard case .frame(now + 720_001) = try SessionWire.answer(try client.nextLine()) else {
      throw Missing()
    }
    #expect(try await rig.ctl("list") == "first  filter\n")
    #expect(try await rig.ctl("undo") == "undone: second: removed\n")
    for (line, message) in [
      (#"{"command":"together"}"#, "a 'commands' is needed"),
      (#"{"command":"together","commands":[]}"#, "0 commands"),
      (#"{"command":"together","commands":[{"command":"x"}]}"#, "unknown command 'x'"),
      (#"{"command":"together","commands":[{"command":"panic"}]}"#, "cannot be combined"),
      (
        #"{"command":"together","commands":[{"command":"set","path":"first/cutoff","value":1e9}]}"#,
        "command 1"
      ),
    ] {
      try client.send(Array(line.utf8))
      let answer = String(decoding: try client.nextLine(), as: UTF8.self)
      #expect(answer.contains("\"error\"") && answer.contains(message), "\(answer)")
    }
    // Values for a frame that never comes fill the queue; of the rest all or nothing is accepted.
    let value = SessionCommand.set(path: "second/cutoff", value: .number(700))
    var refused = 0
    for _ in 0..<23 {
      try client.send(
        SessionWire.encode(.together(Array(repeating: value, count: 200), frame: .max)))
      let answer = String(decoding: try client.nextLine(), as: UTF8.self)
      if answer.contains("no room for 200 more values: 4000 of 4096") { refused += 1 }
    }
    #expect(refused == 3)
    try client.send(SessionWire.encode(.together(Array(repeating: value, count: 20), frame: .max)))
    #expect(try !String(decoding: client.nextLine(), as: UTF8.self).contains("error"))
    // A change on a far frame, which can be undone only once the frame is near.
    #expect(
      try await ctl(["together", "--at", "99999999", "--json", "set", "first/cutoff", "700"])
        .contains("99999999"))
    #expect(try await rig.ctl("status").contains("agenda  4021 values wait for their frames"))
    #expect(try await rig.refusal("undo") == "auricle: there is nothing to undo\n")
    try await auricle.expectEnd()
  }

  private func ctl(_ arguments: [String]) async throws -> String {
    let child = try rig.start(arguments)
    #expect(try await child.wait() == .exited(0), "\(arguments): \(child.transcript)")
    return child.standardOutput
  }
}

// What a session remembers of its changes.

import ControlSocket
import Foundation
import TestSupport
import Testing

@testable import Session
@testable import SessionModel

@Suite(.serialized) struct JournalTests {
  private func journal(
    _ rig: ControlRig, _ arguments: String...
  ) async throws -> [JournalReading.Change] {
    let child = try rig.start(["journal", "--json"] + arguments)
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
    let object = try JSONDecoder().decode(
      [String: JournalReading].self, from: Data(child.standardOutput.utf8))
    return object["journal"]?.changes ?? []
  }

  /// The frame that `auricle ctl set … --json` answers.
  private func set(_ rig: ControlRig, _ arguments: String...) async throws -> Int64 {
    let child = try rig.start(["set"] + arguments + ["--json"])
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
    let answer = try JSONDecoder().decode(
      [String: Int64].self, from: Data(child.standardOutput.utf8))
    return try #require(answer["frame"], "\(child.transcript)")
  }

  @Test func eachChangeHasItsFrameAndItsAuthor() async throws {
    let rig = try ControlRig()
    let server = try await JackServer.start()
    let auricle = try await rig.run(
      """
      [client]
      name = "live"
      [[unit]]
      id = "first"
      component = "filter"
      [[unit]]
      id = "second"
      component = "filter"
      [[scene]]
      name = "Verse"
      parameters = { first.cutoff = 300, second.cutoff = 300 }
      """, on: server)
    #expect(try await rig.ctl("journal") == "")
    for arguments in [
      ["set", "first/cutoff", "900"], ["set", "first/cutoff", "700", "--ramp", "20"],
      ["bypass", "second", "on"], ["connect", "first", "second"], ["scene", "load", "Verse"],
      ["preset", "load", "first", "Warm"], ["undo"], ["redo"], ["panic"],
      ["undo", "4"],
    ] {
      #expect(try await rig.start(arguments).wait() == .exited(0), "\(arguments)")
    }
    // The answer comes once the frame is known: so is that of all before it.
    let last = try await set(rig, "second/cutoff", "500")
    #expect(try await set(rig, "first/cutoff", "500", "--at", "999999999") == 999_999_999)
    let changes = try await journal(rig)
    #expect(
      changes.map(\.text).map { String($0.prefix(24)) } == [
        "first/cutoff from 20000 ", "first/cutoff from 900 to", "second: bypass on",
        "first connected to secon", "scene 'Verse'", "first: preset 'Warm'",
        "first: preset 'Warm'", "first: preset 'Warm'", "panic", "first: preset 'Warm'",
        "scene 'Verse'", "first connected to secon", "second: bypass on",
        "second/cutoff from 20000",
      ])
    #expect(
      changes.map(\.source) == [
        .ctl, .ctl, .ctl, .ctl, .ctl, .ctl, .undo, .redo, .ctl, .undo, .undo, .undo, .undo, .ctl,
      ])
    let frames = changes.compactMap(\.frame)
    #expect(frames.count == changes.count && frames == frames.sorted(), "\(changes)")
    #expect(frames.allSatisfy { $0 % 256 == 0 } && frames.last == last)
    #expect(changes.allSatisfy { $0.server == 0 })
    #expect(try await journal(rig, "--since", "\(frames[3])").count == changes.count - 3)
    let text = try await rig.ctl("journal")
    #expect(text.contains("  undo  first: preset 'Warm'"), "\(text)")
    #expect(try await rig.refusal("journal", "--since=-1", status: 2).contains("from 0 on"))
    try await auricle.expectEnd()
  }
}

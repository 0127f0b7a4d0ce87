// The places of the boxes of units.

import Configuration
import Foundation
import SessionTestSupport
import TestSupport
import Testing
import UnitModel

@testable import Session
@testable import SessionModel

@Suite struct BoxPositionTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private static let text = """
    [[unit]]
    id = "tone"
    component = "tone"
    place = [10, -20.5]
    [[unit]]
    id = "low"
    component = "filter"
    parameters = { cutoff = 500 }
    [[connect]]
    from = "tone"
    to = "low"

    """

  private func places(_ notices: SteppedSession.Notices) -> [[String: BoxPosition]] {
    notices.take().compactMap { notice in
      guard case .graph(let graph) = notice else { return nil }
      return graph.units.reduce(into: [:]) { $0[$1.id] = $1.place }
    }
  }

  @Test func placesAreKeptWithTheSession() async throws {
    let session = try await SteppedSession(folder.write(Self.text, to: "session.toml"))
    let notices = await session.watch(topics: [.graph])
    let (former, place) = (BoxPosition(x: 10, y: -20.5), BoxPosition(x: 300.25, y: 40))
    await session.step(4_864)
    #expect(places(notices).last == ["tone": former])
    func change(_ command: SessionCommand) async throws -> [String: BoxPosition]? {
      try await session.ask(command)
      await session.step(4_864)
      return places(notices).last
    }
    #expect(try await change(.place(unit: "low", place)) == ["tone": former, "low": place])
    #expect(session.isUnsaved)
    #expect(try await change(.place(unit: "tone", nil)) == ["low": place])
    let saved = folder.file("saved.toml")
    try await session.ask(.save(file: saved.path))
    let units = try SessionConfiguration(
      toml: String(contentsOf: saved, encoding: .utf8), file: "saved",
      kinds: ComponentRegistry.shared.configurableUnits
    ).units
    #expect(units.map(\.place?.value) == [nil, place])
    #expect(try await change(.undo()) == ["tone": former, "low": place])
    #expect(try await change(.undo()) == ["tone": former])
    #expect(try await change(.redo(steps: 1)) == ["tone": former, "low": place])
    // A unit that replaces another is where that was, and one that comes back where it was.
    #expect(
      try await change(.replace(unit: "low", component: "reverb"))
        == ["tone": former, "low": place])
    #expect(try await change(.remove(unit: "low")) == ["tone": former])
    #expect(try await change(.undo()) == ["tone": former, "low": place])
    let all = SessionCommand.together([
      .place(unit: "low", nil), .place(unit: "tone", BoxPosition(x: 1, y: 2)),
    ])
    #expect(try await change(all) == ["tone": BoxPosition(x: 1, y: 2)])
    #expect(try await change(.undo()) == ["tone": former, "low": place])
    #expect(await session.refusal(.place(unit: "lov", place)).contains("'low'"))
    #expect(await session.end() == nil)
  }

  @Test func aPlaceInAFollowedFileIsReported() async throws {
    let file = try folder.write(Self.text, to: "session.toml")
    let session = try await SteppedSession(file, followsFile: true)
    let notices = await session.watch(topics: [.graph])
    await session.step(4_864)
    #expect(places(notices).last == ["tone": BoxPosition(x: 10, y: -20.5)])
    try Data(Self.text.replacing("[10, -20.5]", with: "[7, 8]").utf8).write(to: file)
    #expect(
      await session.step(until: {
        places(notices).last == ["tone": BoxPosition(x: 7, y: 8)]
      }))
    #expect(await session.end() == nil)
  }

  /// The sound is that of a session in which nothing is placed, to the bit.
  @Test func noSoundChanges() async throws {
    let text = Self.text.replacing("place = [10, -20.5]", with: "parameters = { playing = true }")
    let file = try folder.write(text, to: "session.toml")
    var heard: [[Float]] = []
    for isPlaced in [false, true] {
      let session = try await SteppedSession(file)
      await session.step(4_864)
      if isPlaced {
        try await session.ask(.place(unit: "low", BoxPosition(x: 1, y: 2)))
      }
      await session.step(24_064)
      heard.append(session.audio("low_out_1"))
      #expect(await session.end() == nil)
    }
    let count = min(heard[0].count, heard[1].count)
    #expect(count >= 28_928 && heard[0].prefix(count) == heard[1].prefix(count))
    #expect(heard[0].contains { abs($0) > 0.01 })
  }

  /// A file that changes something else leaves places as they are; one that changes a place moves
  /// its unit.
  @Test func aFollowedFileChangesThePlacesThatItChanges() async throws {
    let rig = try await FollowedRig(Self.text, in: folder)
    var places: [String: BoxPosition] {
      rig.session.control.store?.origin.configuration.units.reduce(into: [:]) {
        $0[$1.id.value] = $1.place?.value
      } ?? [:]
    }
    let place = BoxPosition(x: 3, y: 4)
    try await rig.session.ask(.place(unit: "low", place))
    try await rig.write(Self.text.replacing("500", with: "600"))
    #expect(rig.value("low", "cutoff") == 600)
    #expect(places == ["tone": BoxPosition(x: 10, y: -20.5), "low": place])
    let moved = Self.text.replacing("500", with: "600").replacing("[10, -20.5]", with: "[7, 8]")
    try await rig.write(moved)
    #expect(places == ["tone": BoxPosition(x: 7, y: 8), "low": place])
    try await rig.write(
      moved.replacing("component = \"filter\"", with: "component = \"filter\"\nplace = [5, 6]"))
    #expect(places["low"] == BoxPosition(x: 5, y: 6))
  }
}

// A sampler's sounds by their names.

import Foundation
import SamplerUnit
import TestSupport
import Testing
import UnitModel

@testable import Session
@testable import SessionModel

@Suite struct SoundNameTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    func preset(_ bank: UInt16, _ program: UInt16, _ name: String) -> SoundFontMaker.Preset {
      .init(bank: bank, program: program, name: name, zones: [.init(sample: .sine())])
    }
    try SoundFontMaker(presets: [
      preset(0, 0, "Piano"), preset(0, 40, "Violin  "), preset(8, 40, "Slow Violin"),
      preset(0, 41, "viola"), preset(0, 42, "Viola"), preset(128, 0, "Standard"),
      preset(128, 25, "Standard"),
    ]).write(to: folder.file("font.sf2"))
  }

  private func text(_ keys: String) -> String {
    """
    [[unit]]
    id = "piano"
    component = "sampler"
    soundfont = "font.sf2"
    \(keys)

    """
  }

  private func rig(_ keys: String) async throws -> DocumentRig {
    try await DocumentRig(folder.write(text(keys), to: "session.toml"))
  }

  private func numbers(_ rig: DocumentRig) -> [Int]? {
    (rig.control.units[0].unit as? SamplerUnit)?.soundFontProgram.map { [$0.bank, $0.program] }
  }

  private func current(_ rig: DocumentRig) async throws -> String? {
    guard case .units(let units) = try await rig.ask(.list(path: nil)) else { return nil }
    return units[0].preset
  }

  private func saved(_ rig: DocumentRig) -> String { rig.document?.configuration.toml ?? "" }

  @Test(arguments: [
    ("Violin", [0, 40]), ("VIOLIN", [0, 40]), (" slow violin", [8, 40]), ("Viola", [0, 42]),
    ("viola", [0, 41]), ("Standard (128:25)", [128, 25]),
  ])
  func aSoundIsFoundByItsName(name: String, wanted: [Int]) async throws {
    let rig = try await rig("sound = \"\(name)\"")
    #expect(numbers(rig) == wanted)
    #expect(saved(rig).contains("sound = \"\(name)\""))
  }

  @Test(arguments: [
    ("sound = \"Violn\"", "5:9: ", "no sound 'Violn': did you mean 'Violin'? It has"),
    ("sound = \"standard\"", "5:9", "choose one by bank and program: 128:0, 128:25"),
    ("sound = \"VIOLA\"", "5:9", "choose one by bank and program: 0:41, 0:42"),
    ("sound = \"Violin\"\nbank = 0", "5:9", "'sound' beside 'bank' or 'program'"),
    ("sound = 40", "5:9", "'sound'"),
    (
      "[[unit.entry]]\nnumber = 1\nname = \"a\"\nsound = \"Violn\"", "8:9",
      "entry 'a': "
    ),
  ])
  func aSoundThatCannotBeFoundIsNamedWithItsPlace(
    keys: String, place: String, message: String
  ) async {
    await #expect {
      _ = try await rig(keys)
    } throws: { "\($0)".contains(place) && "\($0)".contains(message) }
  }

  @Test func aSamplersPresetsAreTheSoundsOfItsFont() async throws {
    let rig = try await rig("")
    guard case .presets(let presets) = try await rig.ask(.preset(unit: "piano", .list)) else {
      Issue.record("no presets")
      return
    }
    #expect(
      presets.map(\.name) == [
        "Piano", "Violin", "viola", "Viola", "Slow Violin", "Standard (128:0)",
        "Standard (128:25)",
      ])
    #expect(presets.filter { $0.bank == 128 }.map(\.program) == [0, 25])
    #expect(presets[1].bank == 0 && presets[1].program == 40)
    #expect(presets.filter(\.isCurrent).map(\.name) == ["Piano"])
    #expect(try await current(rig) == "Piano")
    #expect(!saved(rig).contains("sound = "), "the first sound needs no key")
  }

  @Test func aChosenSoundIsSavedByNameAndTakenBack() async throws {
    let rig = DocumentRig.editable((try await rig("program = 40")).plan)
    try await rig.ask(now: .preset(unit: "piano", .load("slow violin")))
    #expect(numbers(rig) == [8, 40])
    #expect(try await current(rig) == "Slow Violin")
    #expect(saved(rig).contains("sound = \"Slow Violin\"") && !saved(rig).contains("program"))
    #expect(!saved(rig).contains("preset"))
    try await rig.ask(now: .undo(steps: 1))
    #expect(numbers(rig) == [0, 40])
    #expect(try await current(rig) == "Violin")
    #expect(saved(rig).contains("program = 40") && !saved(rig).contains("sound ="))
    let unknown = await rig.refusal(.preset(unit: "piano", .load("Standard")))
    #expect(unknown.contains("unknown preset 'Standard'") && unknown.contains("(128:25)"))
  }

  @Test func entriesTakeSoundsByName() async throws {
    let rig = try await rig(
      """
      sound = "Violin"
      [[unit.entry]]
      number = 1
      name = "first"
      [[unit.entry]]
      number = 2
      name = "second"
      sound = "slow violin"
      [[unit.entry]]
      number = 3
      name = "third"
      program = 42
      """)
    let sampler = try #require(rig.control.units[0].unit as? SamplerUnit)
    #expect(
      sampler.liveSet?.entries.map { [$0.bank, $0.program] } == [[0, 40], [8, 40], [0, 42]])
    #expect(saved(rig).contains("sound = \"slow violin\""))
  }

  @Test func aWrittenSoundIsFollowed() async throws {
    let rig = try await FollowedRig(text("sound = \"Violin\""), in: folder)
    let unit = try #require(rig.unit("piano") as? SamplerUnit)
    try await rig.write(text("sound = \"Viola\""))
    #expect(unit === rig.unit("piano") && unit.soundFontProgram?.program == 42)
    try await rig.write(text("sound = \"Violla\""))
    #expect(unit.soundFontProgram?.program == 42)
    #expect(rig.lastMessage.contains("no sound 'Violla': did you mean"))
  }
}

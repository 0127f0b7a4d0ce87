// Lists to choose from.

import BuiltInUnits
import FoundationEssentials
import SessionTestSupport
import TestSupport
import Testing

@testable import Session
@testable import SessionModel

@Suite struct ChoiceTests {
  /// Chosen names can be added.
  @Test func componentsAndSoundFontsAreListed() async throws {
    let directory = try TemporaryDirectory()
    let folder = directory.url.appendingPathComponent("sounds/sf2")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try SoundFontMaker.endless().write(to: folder.appendingPathComponent("Organ 2.sf2"))
    try SoundFontMaker.endless().write(to: folder.appendingPathComponent("notes.txt"))
    let session = try await SteppedSession(
      directory.write(
        "[[unit]]\nid = \"tone\"\ncomponent = \"tone\"\n", to: "session.toml"),
      environment: ["XDG_DATA_HOME": directory.url.path, "XDG_DATA_DIRS": directory.url.path])
    func choices(_ component: String? = nil) async throws -> [ChoiceReading] {
      guard case .choices(let choices) = try await session.ask(.choices(of: component)) else {
        return []
      }
      return choices
    }
    let components = try await choices()
    #expect(
      Set(components.map(\.name))
        == Set(try BuiltInComponents.makeRegistry().components.map(\.shortName)))
    #expect(components.first { $0.name == "reverb" }?.tags?.contains("Effect") == true)
    let fonts = try await choices("sampler")
    #expect(fonts.map(\.name).contains("Organ 2.sf2") && !fonts.map(\.name).contains("notes.txt"))
    try await session.ask(
      .add(unit: "organ", component: "sampler", settings: ["soundfont=Organ 2.sf2"]))
    for (component, expected) in [
      ("reverb", "accepted: sampler"), ("samplr", "did you mean 'sampler'?"),
    ] {
      let refusal = await session.refusal(.choices(of: component))
      #expect(refusal.lowercased().contains(expected), "\(refusal)")
    }
    #expect(await session.end() == nil)
  }
}

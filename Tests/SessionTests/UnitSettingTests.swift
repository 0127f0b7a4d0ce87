// Settings of a command line in place of a file's.

import BuiltInUnits
import Configuration
import Foundation
import MediaFiles
import SessionTestSupport
import TestSupport
import Testing
import UnitModel

@testable import SessionModel

@Suite struct UnitSettingTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private static let text = """
    [[unit]]
    id = "voice"
    component = "delay"
    preset = "Echo"
    parameters = { feedback = 10.0, mix = 20.0 }
    [[unit]]
    id = "desk"
    component = "mixer"
    inputs = 2

    """

  private func settings(_ texts: [String]) throws -> [UnitSetting] {
    try texts.map { text throws(ConfigurationProblem) in try UnitSetting(text) }
  }

  private func build(_ texts: [String], of text: String = text) async throws -> SessionPlan {
    var builder = SessionBuilder(registry: try BuiltInComponents.makeRegistry())
    builder.settings = try settings(texts)
    return try await builder.build(contentsOf: folder.write(text, to: "session.toml"))
  }

  private func value(_ plan: SessionPlan, _ id: String, _ keyPath: String) -> Float? {
    plan.units.first { $0.id == id }?.unit.parameterTree.parameter(keyPath: keyPath)?.value
  }

  @Test func settingsReplaceThoseOfTheFile() async throws {
    let plan = try await build([
      "voice/preset=Slapback", "voice/feedback=33", "voice/bypass=true", "voice/delay=0.5 s",
      "desk/inputs=3", "desk/inputs/3/volume=0.25", "desk/inputs.2.pan=-1", "voice/feedback=34",
    ])
    let voice = try #require(plan.units.first { $0.id == "voice" }?.unit)
    #expect(voice.currentPreset?.name == "Slapback" && voice.shouldBypassEffect)
    #expect(value(plan, "voice", "feedback") == 34 && value(plan, "voice", "mix") == 20)
    #expect(value(plan, "voice", "delay") == 0.5)
    #expect(value(plan, "desk", "inputs.3.volume") == 0.25)
    #expect(value(plan, "desk", "inputs.2.pan") == -1)
    // They are part of the document, so a save writes them.
    let saved = plan.document.configuration.toml
    #expect(saved.contains("feedback = 34") && saved.contains("inputs = 3"), "\(saved)")
    #expect(plan.base?.units.first?.preset?.value == "Echo")
  }

  /// Names of files start at the current folder, as in a shell, whatever the file's folder.
  @Test func filesAreThoseOfTheCurrentFolder() async throws {
    let player = "[[unit]]\nid = \"song\"\ncomponent = \"player\"\nfile = \"none.wav\"\n"
    let current = FileManager.default.currentDirectoryPath
    await #expect(throws: ConfigurationError.self) { try await build([], of: player) }
    do { _ = try await build(["song/file=no.wav"], of: player) } catch {
      let text = "\(error)"
      #expect(text.contains("--set song/file=no.wav: cannot open \(current)/no.wav"), "\(text)")
    }
    let track = folder.file("track.wav")
    let writer = try AudioFileWriter(url: track, sampleRate: 48_000, channelCount: 1)
    try writer.write([[0.5]])
    try writer.finish()
    let plan = try await build(["song/file=\(track.path)"], of: player)
    let written = plan.document.configuration.units[0].keys["file"]?.content
    #expect(written == .string(track.lastPathComponent))
  }

  @Test(arguments: [
    ("voice", "--set voice: not a setting; accepted: UNIT/KEY=VALUE"),
    ("voice=1/2", "not a setting"), ("=/", "not a setting"), ("voice/=1", "not a setting"),
    ("voice/mi x=1", "not a setting"), ("voice/mix=1\n2", "not a setting"),
    ("/mix=1", "unknown unit ''"), ("voise/mix=1", "did you mean 'voice'?"),
    ("voice/id=a", "'id' is the file's"), ("voice/mxi=1", "did you mean 'mix'?"),
    ("voice/mix=1000", "--set voice/mix=1000: mix = 1000 is out of range"),
    ("voice/preset=Nope", "unknown preset 'Nope'"), ("voice/file=a", "unknown parameter 'file'"),
    ("desk/inputs=many", "--set desk/inputs=many: 'inputs' must be an integer"),
    ("voice/state=a", "unknown parameter 'state'"), ("voice/mix=[1", "not valid TOML"),
    ("voice/parameters=3", "--set voice/parameters=3: "),
  ])
  func mistakesNameTheSetting(setting: String, expected: String) async throws {
    do {
      _ = try await build([setting])
      Issue.record("\(setting) was taken")
    } catch {
      #expect("\(error)".contains(expected), "\(error)")
    }
  }

  /// Mistakes of the file and of settings are reported together.
  @Test func allMistakesAreReportedAtOnce() async throws {
    do {
      _ = try await build(
        ["voice/mix=1000", "no/mix=1"], of: Self.text + "[[connect]]\nform = \"voice\"\n")
      Issue.record("it was taken")
    } catch {
      for part in ["mix = 1000", "unknown unit 'no'", "'form'"] {
        #expect("\(error)".contains(part), "\(error)")
      }
    }
  }

  /// An edit of the file changes only what was edited.
  @Test func settingsStayWhenTheFileIsEdited() async throws {
    let rig = try await FollowedRig(
      Self.text, in: folder, settings: settings(["voice/feedback=33", "desk/inputs=3"]))
    #expect(rig.value("voice", "feedback") == 33)
    try await rig.write(Self.text.replacing("mix = 20.0", with: "mix = 40.0"))
    #expect(rig.value("voice", "mix") == 40 && rig.value("voice", "feedback") == 33)
    #expect(rig.text.contains("inputs = 3"), "\(rig.lastMessage)")
    // The edited key itself follows the file.
    try await rig.write(Self.text.replacing("feedback = 10.0", with: "feedback = 12.0"))
    #expect(rig.value("voice", "feedback") == 12 && rig.value("voice", "mix") == 20)
  }
}

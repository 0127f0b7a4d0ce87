// Saved sessions, which equal the running ones.

import BuiltInUnits
import Configuration
import Effects
import Foundation
import Graph
import PropertyLists
import SamplerUnit
import SessionTestSupport
import Synchronization
import TestSupport
import Testing
import UnitModel

@testable import Session
@testable import SessionModel

extension SoundFontConfiguration {
  fileprivate var withoutSum: SoundFontConfiguration {
    var font = self
    (font.size, font.sha256) = (nil, nil)
    return font
  }
}

extension SessionDocument {
  /// The document without the checksums that saving adds.
  var withoutSums: SessionDocument {
    var document = self
    for unit in configuration.units.indices {
      let keys = configuration.units[unit].keys
      var sampler = SamplerConfiguration(keys)
      sampler.soundFonts = sampler.soundFonts.map(\.withoutSum)
      for entry in sampler.entries.indices {
        sampler.entries[entry].soundFonts = sampler.entries[entry].soundFonts.map(\.withoutSum)
      }
      sampler.write(to: &document.configuration.units[unit].keys)
    }
    return document
  }
}

@Suite struct SessionSaveTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func font(_ name: String, level: Double = 0) throws -> URL {
    let zone = SoundFontMaker.Zone(
      sample: .constant(), releaseSeconds: 0.1, attenuationDecibels: level)
    let url = folder.file(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try SoundFontMaker(presets: [
      .init(name: "One", zones: [zone]), .init(program: 1, name: "Two", zones: [zone]),
    ]).write(to: url)
    return url
  }

  /// Writes a session of all features that no shipped configuration uses.
  private func everything() throws -> URL {
    _ = try font("a.sf2")
    _ = try font("b.sf2", level: 12)
    return try folder.write(
      """
      [client]
      name = "every \\"thing\\""
      [[unit]]
      id = "keys"
      component = "midi"
      midi = [
        { stage = "filter", channels = [1, "3-16"], keys = "C1-C7" },
        { stage = "velocity", curve = "exponential" },
        { stage = "scale" }, { stage = "channel" }, { stage = "bend" }, { stage = "echo" },
        { stage = "controller", source = "controller", sourceController = 1, target = "parameter", parameter = "midi.transpose2.bypass" },
        { stage = "transpose", semitones = 2 }, { stage = "transpose", semitones = 1, bypass = true },
      ]
      [[unit]]
      id = "piano"
      component = "sampler"
      soundfonts = [ { file = "a.sf2" }, { file = "b.sf2", bank-offset = 1 } ]
      program = 1
      outputs = "dry+effects"
      drum-channels = []
      parameters = { gain = -6.0, midi.transpose.semitones = 2 }
      midi = [ { stage = "transpose", semitones = 0 }, { stage = "chord" } ]
      [[unit]]
      id = "lowpass"
      component = "filter"
      preset = "Warm"
      parameters = { cutoff = 900.0 }
      [[connect]]
      from = "keys"
      to = "piano"
      [[connect]]
      from = "piano:Dry"
      to = "lowpass"
      [[connect]]
      from = "piano:2"
      to = "physical:outputs"
      """, to: "every.toml")
  }

  /// Saves a session, opens the saved file, and compares the two.
  private func expectSame(_ rig: DocumentRig, _ file: String = "saved/session.toml") async throws {
    let saved = folder.file(file)
    try FileManager.default.createDirectory(
      at: saved.deletingLastPathComponent(), withIntermediateDirectories: true)
    let document = try #require(rig.document)
    #expect(
      try await rig.ask(.save(file: saved.path))
        == .saved(
          SaveReading(file: saved.path, backup: nil)))
    let text = try String(contentsOf: saved, encoding: .utf8)
    let again = try await DocumentRig(saved)
    #expect(again.plan.remarks == [])
    #expect(again.values == rig.values, "\(text)")
    let isFarAway = document.configuration.units.contains {
      let keys = SamplerConfiguration($0.keys)
      return !(keys.soundFonts + keys.entries.flatMap(\.soundFonts)).allSatisfy {
        $0.file.value.hasPrefix("/") || $0.file.value.hasPrefix("Tim")
      }
    }
    if !isFarAway { #expect(again.plan.document.withoutSums == document.withoutSums, "\(text)") }
    // Saved again, the file is the same to the byte, and needs no backup. The output is the same.
    let third = saved.deletingLastPathComponent().appendingPathComponent("session.toml")
    #expect(
      try await again.ask(.save(file: nil)) == .saved(SaveReading(file: third.path, backup: nil)))
    #expect(try String(contentsOf: third, encoding: .utf8) == text)
    #expect(try rig.bounce() == again.bounce(), "\(text)")
  }

  /// Players are left out: they resume where they were, and do not sound the same twice.
  @Test(
    arguments: ReadyConfigurations.names.filter { ReadyConfigurations.tracks[$0] == nil })
  func shippedConfigurationsAreSavedAndRestored(_ name: String) async throws {
    var random = SeededRandom(seed: 7)
    let file = try ReadyConfigurations.file(name, in: folder)
    let rig = try await DocumentRig(file)
    try await expectSame(rig)
    try FileManager.default.removeItem(at: folder.file("saved"))
    try await rig.change(10, &random)
    try await expectSame(rig)
  }

  @Test(arguments: 0..<6)
  func everythingComesBackAfterRandomChanges(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let rig = try await DocumentRig(try everything())
    try await rig.change([0, 3, 10, 30, 60, 100][Int(seed)], &random)
    if seed % 2 == 0 {
      try await rig.ask(.preset(unit: "lowpass", .load("Bright")))
      try await rig.ask(.soundFont(unit: "piano", file: folder.file("b.sf2").path, program: 1))
    }
    try await expectSame(rig)
  }

  @Test func onlyDifferencesAreWritten() async throws {
    let rig = try await DocumentRig(try everything())
    try await rig.ask(.set(path: "keys/midi/transpose/semitones", value: .number(-12)))
    try await rig.ask(.set(path: "keys/midi/filter/keyLow", value: .number(36)))
    try await rig.ask(.set(path: "lowpass/cutoff", value: .number(1234.5)))
    try await rig.ask(.bypass(unit: "lowpass", isOn: true))
    try await rig.ask(.save(file: folder.file("new.toml").path))
    let text = try String(contentsOf: folder.file("new.toml"), encoding: .utf8)
    for line in [
      "version = 1\n", "name = \"every \\\"thing\\\"\"\n",
      "  { stage = \"filter\", channels = [1, \"3-16\"], keys = \"C2-C7\" },\n",
      "  { stage = \"transpose\", semitones = -12 },\n",
      "preset = \"Warm\"\nbypass = true\nparameters = { cutoff = 1234.5 }\n",
      "parameters = { gain = -6, midi.transpose.semitones = 2 }\n", "{ file = \"a.sf2\", size = ",
      "[[connect]]\nfrom = \"piano:Dry\"\nto = \"lowpass\"\n",
    ] { #expect(text.contains(line), "\(line)\(text)") }
    #expect(!text.contains("resonance") && !text.contains("bank ="))
  }

  /// Also if only one of their values differs.
  @Test func aListAndARangeAreWrittenWhole() async throws {
    let rig = try await DocumentRig(
      try folder.write(
        """
        [[unit]]
        id = "keys"
        component = "midi"
        midi = [ { stage = "velocity" }, { stage = "filter" } ]
        """, to: "keys.toml"))
    try await rig.ask(.set(path: "keys/midi/velocity/channels/2", value: .boolean(false)))
    try await rig.ask(.set(path: "keys/midi/filter/keyLow", value: .number(36)))
    let saved = folder.file("saved.toml")
    try await rig.ask(.save(file: saved.path))
    let text = try String(contentsOf: saved, encoding: .utf8)
    for line in [
      "{ stage = \"velocity\", channels = [1, \"3-16\"] }",
      "{ stage = \"filter\", keys = \"C2-G9\" }",
    ] { #expect(text.contains(line), "\(text)") }
    #expect(try await DocumentRig(saved).values == rig.values)
  }

  /// A missing unit is written as it was made, and the units after it with their current values.
  @Test func aUnitThatIsNotThereChangesNoOther() async throws {
    let rig = try await DocumentRig(
      try folder.write(
        ["a", "b"].map {
          "[[unit]]\nid = \"\($0)\"\ncomponent = \"filter\"\nparameters = { cutoff = 900 }\n"
        }.joined(), to: "two.toml"))
    for id in ["a", "b"] { try await rig.ask(.set(path: "\(id)/cutoff", value: .number(440))) }
    let document = SessionDocument(rig.plan.origin, units: Array(rig.control.units.dropFirst()))
    #expect(
      document.configuration.units.map { $0.parameters.map(\.value.value) }
        == [[.number(900)], [.number(440)]])
  }

  /// TOML can express neither an entry changed by hand, nor another SoundFont than an entry's.
  @Test func statesThatTOMLCannotExpressAreNextToIt() async throws {
    _ = try font("a.sf2")
    _ = try font("b.sf2", level: 12)
    let file = try folder.write(
      """
      [[unit]]
      id = "keys"
      component = "sampler"
      soundfont = "\(folder.file("a.sf2").path)"
      parameters = { gain = -1.0 }
      midi = [ { stage = "transpose", semitones = 1 } ]
      [[unit.entry]]
      number = 0
      name = "zero"
      parameters = { pan = 10 }
      [[unit.entry]]
      number = 5
      name = "five"
      soundfont = "\(folder.file("b.sf2").path)"
      parameters = { gain = -3.0, midi.transpose.semitones = 5 }
      """, to: "set.toml")
    func states() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.file("saved").path)
        .filter { $0.hasSuffix(".aupreset") }
    }
    let rig = try await DocumentRig(file)
    try await rig.ask(.entry(unit: "keys", .number(5)))
    try await expectSame(rig)
    #expect(try states() == [])
    try await rig.ask(.set(path: "keys/gain", value: .number(-9)))
    try await rig.ask(.set(path: "keys/tuning", value: .number(430)))
    try await expectSame(rig)
    #expect(try states().count == 1)
    // Values edited in the file take precedence over the state.
    let saved = try String(contentsOf: folder.file("saved/session.toml"), encoding: .utf8)
    let edited = try folder.write(
      saved.replacing("tuning = 430", with: "tuning = 425"), to: "saved/edited.toml")
    #expect(try await DocumentRig(edited).values["keys/tuning"] == 425)
    #expect(try await DocumentRig(edited).values["keys/gain"] == -9)
    try await rig.ask(.set(path: "keys/gain", value: .number(-8)))
    try await expectSame(rig)
    // The former state has no reference, and is removed.
    #expect(try states().count == 1)
    try await rig.ask(
      .soundFont(unit: "keys", file: folder.file("b.sf2").path, bank: 0, program: 1))
    try await expectSame(rig)
    let again = try await DocumentRig(folder.file("saved/session.toml"))
    let sampler = try #require(again.control.units[0].unit as? SamplerUnit)
    #expect(sampler.currentEntry == nil && sampler.soundFontProgram?.program == 1)
    try await again.ask(.entry(unit: "keys", .number(0)))
    try await expectSame(again)
    #expect(try states() == [])
  }

  /// A unit of a program, with a setting that has no key.
  private final class WordUnit: AudioUnit, @unchecked Sendable {
    let word = Mutex("none")

    override func settings(forDocument: Bool) -> StateDictionary {
      ["word": .string(word.withLock { $0 })]
    }
    override func checkSettings(_ settings: StateDictionary) throws(StateError) {
      guard case .string? = settings["word"] else { throw .missingEntry("word") }
    }
    override func applySettings(_ settings: StateDictionary) throws(StateError) {
      if case .string(let text)? = settings["word"] { word.withLock { $0 = text } }
    }
  }

  @Test func aUnitsOwnSettingsComeBack() async throws {
    let registry = try BuiltInComponents.makeRegistry()
    let description = ComponentDescription(
      type: .generator, subtype: "word", manufacturer: "Test")
    try registry.register(
      Component(description: description, name: "Word", shortName: "word") { description, _ in
        WordUnit(
          componentDescription: description,
          parameterTree: try ParameterTree(children: [
            Parameter(identifier: "size", name: "Size", address: 0, range: 0...9)
          ]))
      })
    let builder = SessionBuilder(registry: registry)
    let file = try folder.write("[[unit]]\nid = \"w\"\ncomponent = \"word\"\n", to: "w.toml")
    let plan = try await builder.build(contentsOf: file)
    let unit = try #require(plan.graph.nodes[0].unit as? WordUnit)
    unit.word.withLock { $0 = "<\"é\n&" }
    try unit.parameterTree.allParameters[0].setValue(3)
    let document = plan.document
    let saved = folder.file("saved.toml")
    _ = try SessionStore(plan.origin).save(document, to: saved.path)
    let again = try await builder.build(contentsOf: saved)
    #expect((again.graph.nodes[0].unit as? WordUnit)?.word.withLock { $0 } == "<\"é\n&")
    #expect(again.document == document)
    // A missing state is reported at its name in the session's file.
    for name in StateFile.names(of: saved) {
      try FileManager.default.removeItem(at: folder.file(name))
    }
    await #expect { _ = try await builder.build(contentsOf: saved) } throws: {
      "\($0)".contains("saved.toml:7:") && "\($0)".contains("there is no such file")
    }
  }

  /// A program may change its working folder later.
  @Test func aRelativeFileIsTakenFromTheFolderOfTheStart() async throws {
    let file = try folder.write("[[unit]]\nid = \"w\"\ncomponent = \"filter\"\n", to: "w.toml")
    var origin = try await DocumentRig(file).plan.origin
    origin.file = URL(fileURLWithPath: "w.toml", relativeTo: file.deletingLastPathComponent())
    let own = try #require(SessionStore(origin).file)
    #expect(own.baseURL == nil && own.path == file.path)
  }

  @Test func aFileIsFollowedOnceItIsNoLongerWritten() async throws {
    let rig = try await DocumentRig(try everything())
    let store = SessionStore(rig.plan.origin)
    let file = try #require(rig.plan.origin.file)
    #expect(store.newlyWritten() == nil)
    var text = try String(contentsOf: file, encoding: .utf8)
    for _ in 0..<3 {
      text += "# more\n"
      try text.write(to: file, atomically: false, encoding: .utf8)
      #expect(store.newlyWritten() == nil)
    }
    #expect(store.newlyWritten()?.path == file.path)
    #expect(store.newlyWritten() == nil)
  }

  /// A preset sets all parameters. Values written next to it take precedence.
  @Test func aValueIsAsItIsWrittenAlsoUnderAnotherPreset() async throws {
    let file = try folder.write(Configurations.filter(), to: "session.toml")
    let rig = try await DocumentRig(file)
    let text = Configurations.filter().replacing("Prominent", with: "Warm")
    try Data(text.utf8).write(to: file)
    let log = LogRecorder()
    let editor = SessionEditor(rig.control.units)
    editor.executeAtOnce()
    await SessionFollower(
      store: try #require(rig.control.store), history: rig.control.history, editor: editor,
      late: LateWork(), rendersNow: false, log: log.logger
    ).follow(file)
    #expect(rig.values["lowpass/resonance"] == -3, "\(log.text)")
    #expect(rig.values["lowpass/cutoff"] == 900)
  }

  @Test func aUsersPresetIsSavedByItsValues() async throws {
    let rig = try await DocumentRig(try everything())
    let unit = rig.control.units[2].unit
    unit.presetStore = PresetStore(
      component: unit.componentDescription, root: folder.file("presets"))
    try await rig.ask(.set(path: "lowpass/resonance", value: .number(4)))
    try await rig.ask(.preset(unit: "lowpass", .save("Mine")))
    try await rig.ask(.preset(unit: "lowpass", .load("Mine")))
    try await rig.ask(.preset(unit: "lowpass", .delete("Mine")))
    try await expectSame(rig)
  }

  // MARK: The file

  /// The mistake was made since the session began.
  @Test func aFileWithAMistakeIsKeptAsACopy() async throws {
    let file = try folder.write(Configurations.filter(), to: "mine.toml")
    let rig = try await DocumentRig(file)
    try await rig.ask(.save(file: nil))
    let text = try String(contentsOf: file, encoding: .utf8) + "[[unit\n"
    try Data(text.utf8).write(to: file)
    try await rig.ask(.set(path: "lowpass/cutoff", value: .number(440)))
    #expect(
      try await rig.ask(.save(file: nil))
        == .saved(SaveReading(file: file.path, backup: file.path + "~")))
    #expect(try String(contentsOfFile: file.path + "~", encoding: .utf8) == text)
    #expect(try await DocumentRig(file).values["lowpass/cutoff"] == 440)
  }

  @Test func aSaveGoesToTheSessionsFileAndBacksUpHandWrittenText() async throws {
    let source = "# mine\n[[unit]]\nid = \"lowpass\"\ncomponent = \"filter\" # here\n"
    let file = try folder.write(source, to: "mine.toml")
    chmod(file.path, 0o640)
    let rig = try await DocumentRig(file)
    try await rig.ask(.set(path: "lowpass/cutoff", value: .number(440)))
    #expect(
      try await rig.ask(.save(file: nil))
        == .saved(
          SaveReading(file: file.path, backup: file.path + "~")))
    #expect(try String(contentsOfFile: file.path + "~", encoding: .utf8) == source)
    #expect(try await DocumentRig(file).values["lowpass/cutoff"] == 440)
    var status = stat()
    #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == 0o640)
    // The next save loses nothing, so that the backup still is the hand-written file.
    try await rig.ask(.set(path: "lowpass/cutoff", value: .number(441)))
    #expect(
      try await rig.ask(.save(file: nil)) == .saved(SaveReading(file: file.path, backup: nil)))
    #expect(try String(contentsOfFile: file.path + "~", encoding: .utf8) == source)
    // From now on the session belongs to the other file.
    let other = folder.file("other.toml")
    try await rig.ask(.save(file: other.path))
    try await rig.ask(.set(path: "lowpass/cutoff", value: .number(442)))
    try await rig.ask(.save(file: nil))
    #expect(try await DocumentRig(file).values["lowpass/cutoff"] == 441)
    #expect(try await DocumentRig(other).values["lowpass/cutoff"] == 442)
  }

  @Test func aLinkToASessionStaysOne() async throws {
    let file = try folder.write(
      "[[unit]]\nid = \"lowpass\"\ncomponent = \"filter\"\n", to: "real/one.toml")
    let link = folder.file("link.toml")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    let rig = try await DocumentRig(link)
    try await rig.ask(.set(path: "lowpass/cutoff", value: .number(440)))
    try await rig.ask(.save(file: nil))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == file.path)
    #expect(try await DocumentRig(file).values["lowpass/cutoff"] == 440)
  }

  @Test func aFailedSaveIsReportedAndNothingIsLost() async throws {
    let file = try folder.write(
      "[[unit]]\nid = \"lowpass\"\ncomponent = \"filter\"\n", to: "one.toml")
    _ = try folder.write("a song", to: "song.mid")
    _ = try folder.write("", to: "folder/x")
    let rig = try await DocumentRig(file)
    try await rig.ask(.set(path: "lowpass/cutoff", value: .number(440)))
    let before = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted()
    for (path, message) in [
      (folder.file("none/x.toml").path, "there is no folder"), ("x.toml", "an absolute path"),
      (folder.file("song.mid").path, "exists and is not a session"),
      (folder.file("folder").path, "folder"), ("/proc/nothing.toml", "/proc/nothing.toml"),
      ("/dev/null", "/dev/null"),
    ] {
      let text = await rig.refusal(.save(file: path))
      #expect(text.contains(message) && !text.contains("saved("), "\(path): \(text)")
    }
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted() == before)
    #expect(try String(contentsOf: folder.file("song.mid"), encoding: .utf8) == "a song")
    #expect(rig.control.history.isDirty)
  }

  // MARK: SoundFonts

  @Test func aSoundFontThatMovedIsFoundAndOneThatChangedIsNamed() async throws {
    let original = try font("fonts/a.sf2")
    let file = try folder.write(
      "[[unit]]\nid = \"piano\"\ncomponent = \"sampler\"\nsoundfont = \"fonts/a.sf2\"\n",
      to: "one.toml")
    let rig = try await DocumentRig(file)
    let saved = folder.file("sub/saved.toml")
    try FileManager.default.createDirectory(
      at: saved.deletingLastPathComponent(), withIntermediateDirectories: true)
    try await rig.ask(.save(file: saved.path))
    let text = try String(contentsOf: saved, encoding: .utf8)
    #expect(text.contains("soundfont = { file = \"../fonts/a.sf2\", size = "), "\(text)")
    #expect(try await DocumentRig(saved).plan.warnings == [])
    // The SoundFont is located next to the session now, under another name.
    let moved = folder.file("sub/renamed.SF2")
    try FileManager.default.moveItem(at: original, to: moved)
    var plan = try await DocumentRig(saved).plan
    try #require(plan.warnings.count == 1)
    #expect(plan.warnings[0].contains("saved.toml:7:") && plan.warnings[0].contains(moved.path))
    #expect((plan.graph.nodes[0].unit as? SamplerUnit)?.soundFont?.path == moved.path)
    // Another SoundFont has its former name.
    _ = try font("fonts/a.sf2", level: 20)
    plan = try await DocumentRig(saved).plan
    #expect(plan.warnings.count == 1 && plan.warnings[0].contains("has the content of then"))
    #expect((plan.graph.nodes[0].unit as? SamplerUnit)?.soundFont?.path == moved.path)
    // The other SoundFont is the only one.
    try FileManager.default.removeItem(at: moved)
    plan = try await DocumentRig(saved).plan
    #expect(plan.warnings.count == 1 && plan.warnings[0].contains("may sound otherwise"))
    #expect((plan.graph.nodes[0].unit as? SamplerUnit)?.soundFont?.path == original.path)
    let again = try await DocumentRig(saved)
    try await again.ask(.save(file: nil))
    #expect(try await DocumentRig(saved).plan.warnings == [])
    try FileManager.default.removeItem(at: original)
    await #expect { _ = try await DocumentRig(saved) } throws: { "\($0)".contains("no SoundFont") }
  }

  // MARK: Crashes

  /// The saving process is killed at any moment.
  @Test func afterAnyKillTheSessionIsWhole() async throws {
    let file = try folder.write(
      "[[unit]]\nid = \"lowpass\"\ncomponent = \"filter\"\nparameters = { cutoff = 100 }\n",
      to: "one.toml")
    var random = SeededRandom(seed: 3)
    var values: Set<Float> = []
    for _ in 0..<100 {
      let child = try ChildProcess(builtProduct("SaveProbe"), [file.path])
      _ = try await child.waitForLine(containing: "saving")
      usleep(UInt32.random(in: 0...40_000, using: &random))
      child.signal(SIGKILL)
      #expect(try await child.wait() == .signalled(SIGKILL), "\(child.transcript)")
      let rig = try await DocumentRig(file)
      let cutoff = try #require(rig.values["lowpass/cutoff"])
      values.insert(cutoff)
      // The file and the state next to it are of one save.
      guard let name = rig.plan.origin.configuration.units[0].state?.value else { continue }
      let state = try PropertyList.dictionary(xml: try Data(contentsOf: folder.file(name)))
      guard case .dictionary(let parameters)? = state["parameters"] else { continue }
      #expect(parameters["cutoff"]?.number == Double(cutoff))
    }
    #expect(values.count > 20, "too few were killed at it")
    // The next save removes the files left by killed processes.
    let rig = try await DocumentRig(file)
    try await rig.ask(.save(file: nil))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(names.filter { $0.hasPrefix(".") } == [])
    #expect(names.contains("one.toml") && names.count <= 4, "\(names)")
  }
}

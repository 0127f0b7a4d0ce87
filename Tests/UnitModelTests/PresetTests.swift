// Presets: chosen, saved, renamed, deleted; and invalid files.

import Foundation
import Testing
import UnitModel

@Suite final class PresetTests {
  let root = FileManager.default.temporaryDirectory.appendingPathComponent(
    "auricle-presets-\(UUID().uuidString)")
  let unit: GainUnit

  init() throws {
    unit = try GainUnit()
    unit.presetStore = PresetStore(component: unit.componentDescription, root: root)
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  var folder: URL { root.appendingPathComponent("aumf-gain-Test") }
  var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  func write(_ contents: String, _ file: String) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(contents.utf8).write(to: folder.appendingPathComponent(file))
  }

  func contents(_ file: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
  }

  @Test func factoryPresetsSetTheirValues() throws {
    unit.offset.value = 0.5
    try unit.setCurrentPreset(Preset(number: 1, name: ""))
    #expect(unit.gain.value == 0.25)
    #expect(unit.offset.value == 0.5)
    #expect(unit.currentPreset == Preset(number: 1, name: "Quiet"))
    let missing = Preset(number: 2, name: "X")
    #expect(throws: PresetError.unknownPreset(missing, known: ["Loud", "Quiet"])) {
      try unit.setCurrentPreset(missing)
    }
    try unit.setCurrentPreset(nil)
    #expect(unit.currentPreset == nil)
    #expect(unit.gain.value == 0.25)
  }

  @Test func savingRemovesUnfinishedFilesOfDeadProcesses() throws {
    try write("half", ".auricle-1-dead.part")
    _ = try unit.saveUserPreset(named: "First")
    #expect(try files == ["First.aupreset"])
  }

  @Test func userPresetsAreSavedChosenRenamedAndDeleted() throws {
    #expect(try unit.userPresets.isEmpty)
    unit.gain.value = 0.1
    unit.label = "é & <ü>\r\n"
    let first = try unit.saveUserPreset(named: "First")
    #expect(first == Preset(number: -1, name: "First"))
    #expect(unit.currentPreset == first)
    unit.gain.value = 3
    let second = try unit.saveUserPreset(named: "Second")
    #expect(second.number == -2)
    #expect(try unit.userPresets == [first, second])
    #expect(try files == ["First.aupreset", "Second.aupreset"])

    unit.label = "other"
    try unit.setCurrentPreset(first)
    #expect(unit.gain.value == 0.1)
    #expect(unit.label == "é & <ü>\r\n")

    let renamed = try unit.renameUserPreset(first, to: "Zero")
    #expect(unit.currentPreset == renamed)
    #expect(try unit.userPresets == [second, renamed])
    #expect(try unit.presetState(for: renamed)["name"] == "Zero")
    #expect(throws: PresetError.nameTaken("Second")) {
      try unit.renameUserPreset(renamed, to: "Second")
    }
    #expect(throws: PresetError.unknownPreset(first, known: ["Second", "Zero"])) {
      try unit.setCurrentPreset(first)
    }
    try unit.deleteUserPreset(renamed)
    #expect(unit.currentPreset == nil)
    #expect(try files == ["Second.aupreset"])
    #expect(throws: PresetError.self) { try unit.deleteUserPreset(renamed) }
  }

  @Test func savingAgainReplacesAndNumbersAreUnique() throws {
    try unit.saveUserPreset(Preset(number: -5, name: "A"))
    unit.gain.value = 2
    try unit.saveUserPreset(Preset(number: -6, name: "A"))
    #expect(try unit.userPresets == [Preset(number: -6, name: "A")])
    #expect(throws: PresetError.numberTaken(-6, by: "A")) {
      try unit.saveUserPreset(Preset(number: -6, name: "B"))
    }
    let factory = Preset(number: 0, name: "A")
    #expect(throws: PresetError.notAUserPreset(factory)) { try unit.saveUserPreset(factory) }
    #expect(try files == ["A.aupreset"])
  }

  @Test func anyNameBecomesASafeFileAndComesBack() throws {
    let names = [
      "a/b", "../../etc/passwd", ".hidden", "..", "50%", "%2F", "a b", "Ünïcödé 🎹", "a.aupreset",
      "con:", "-rf", "\"<&>'", "a\\b", "~",
    ]
    for name in names { _ = try unit.saveUserPreset(named: name) }
    #expect(try unit.userPresets.map(\.name) == names.sorted())
    #expect(try files.count == names.count)
    #expect(try files.allSatisfy { !$0.hasPrefix(".") && $0.hasSuffix(".aupreset") })
    for preset in try unit.userPresets { try unit.setCurrentPreset(preset) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: root.path) == ["aumf-gain-Test"])

    // The same name, typed composed or decomposed.
    _ = try unit.saveUserPreset(named: "caf\u{E9}")
    _ = try unit.saveUserPreset(named: "cafe\u{301}")
    #expect(try files.count == names.count + 1)

    for name in ["", "a\nb", "\0", String(repeating: "x", count: 247)] {
      #expect(throws: PresetError.invalidName(name)) { try unit.saveUserPreset(named: name) }
    }
  }

  @Test func theFileIsAStandardPropertyList() throws {
    unit.gain.value = 0.1
    _ = try unit.saveUserPreset(named: "Standard")
    let data = try Data(contentsOf: folder.appendingPathComponent("Standard.aupreset"))
    let list = try #require(
      PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
    #expect(list["name"] as? String == "Standard")
    #expect(list["type"] as? Int == 0x6175_6D66)
    #expect(list["subtype"] as? Int == 0x6761_696E)
    #expect(list["manufacturer"] as? Int == 0x5465_7374)
    #expect(list["version"] as? Int == 0)
    #expect(list["preset-number"] as? Int == -1)
    #expect((list["data"] as? Data)?.count == 36)
    #expect((list["parameters"] as? [String: Double])?["amp.gain"] == Double(Float(0.1)))
  }

  @Test func presetsWrittenByOthersAreRead() throws {
    _ = try unit.saveUserPreset(named: "Ours")
    let ours = try contents("Ours.aupreset")
    let theirs = try PropertyListSerialization.data(
      fromPropertyList: [
        "type": 0x6175_6D66, "subtype": 0x6761_696E, "manufacturer": 0x5465_7374, "version": 0,
        "name": "Theirs", "render-quality": 64,
        "data": Data([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 10, 0x40, 0, 0, 0]),
      ] as [String: Any], format: .xml, options: 0)
    try theirs.write(to: folder.appendingPathComponent("50% Theirs.aupreset"))
    try write(ours, "Copy.aupreset")
    try write("\u{FEFF}" + ours.replacing("<true/>", with: "<true></true>"), "Mark.aupreset")
    let listing = try unit.presetStore.list()
    #expect(listing.problems.isEmpty)
    #expect(listing.presets.map(\.name) == ["50% Theirs", "Copy", "Mark", "Ours"])
    #expect(Set(listing.presets.map(\.number)) == [-1, -2, -3, -4])
    try unit.setCurrentPreset(listing.presets[0])
    #expect(unit.gain.value == 2)
  }

  @Test func filesThatAreNoPresetsAreReportedAndLeftOut() throws {
    _ = try unit.saveUserPreset(named: "Good")
    let good = try contents("Good.aupreset")
    try write(
      good.replacing("<integer>1734437230</integer>", with: "<integer>1</integer>"),
      "foreign.aupreset")
    try write("", "empty.aupreset")
    try write("SoundFont", "text.aupreset")
    try write(String(good.prefix(good.count / 2)), "truncated.aupreset")
    try write(
      "<plist>" + String(repeating: "<array>", count: 100_000), "deep.aupreset")
    try write("<plist><string>x</string></plist>", "string.aupreset")
    try write("<plist><dict/></plist>", "nocodes.aupreset")
    try write(good.replacing("<dict>", with: "<dict><key>name</key><true/>"), "twice.aupreset")
    try write(
      good.replacing("PropertyList-1.0.dtd\"", with: "x.dtd\" [<!ENTITY a \"b\">]"), "dtd.aupreset")
    try write("bplist00", "binary.aupreset")
    try write(String(repeating: "x", count: PresetStore.maximumBytes + 1), "huge.aupreset")
    try write(good, ".hidden.aupreset")
    try write(good, "other.txt")
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("folder.aupreset"), withIntermediateDirectories: true)
    mkfifo(folder.appendingPathComponent("pipe.aupreset").path, 0o600)
    symlink("nowhere", folder.appendingPathComponent("dangling.aupreset").path)

    let listing = try unit.presetStore.list()
    #expect(listing.presets.map(\.name) == ["Good"])
    #expect(listing.problems.count == 14)
    for problem in listing.problems {
      #expect(problem.description.contains("aumf-gain-Test/"), "\(problem)")
    }
    #expect(try unit.userPresets.map(\.name) == ["Good"])
    #expect(throws: PresetError.self) {
      try unit.setCurrentPreset(Preset(number: -9, name: "truncated"))
    }
  }

  @Test func aPresetThatTheUnitRefusesLeavesItAsItIs() throws {
    let preset = try unit.saveUserPreset(named: "Edited")
    try write(
      contents("Edited.aupreset").replacing("amp.gain", with: "amp.nothing"), "Edited.aupreset")
    try unit.setCurrentPreset(Preset(number: 0, name: "Loud"))
    #expect(throws: PresetError.self) { try unit.setCurrentPreset(preset) }
    #expect(unit.currentPreset?.name == "Loud")
    #expect(unit.gain.value == 4)
  }

  @Test func aSaveThatFailsKeepsTheOldFileAndLeavesNoOther() throws {
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    try Data().write(to: folder)
    #expect(throws: PresetError.self) { try unit.saveUserPreset(named: "A") }
    try FileManager.default.removeItem(at: folder)
    let preset = try unit.saveUserPreset(named: "A")
    try FileManager.default.removeItem(at: folder.appendingPathComponent("A.aupreset"))
    // A folder in its place: the temporary file cannot be renamed over it.
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("A.aupreset/x"), withIntermediateDirectories: true)
    #expect(throws: PresetError.self) { try unit.saveUserPreset(preset) }
    #expect(try files == ["A.aupreset"])
  }

  @Test func theUsersDataFolderIsTheDefault() {
    let data = ProcessInfo.processInfo.environment["XDG_DATA_HOME"]
    let expected =
      data.map { $0 + "/auricle/presets" }
      ?? FileManager.default.homeDirectoryForCurrentUser.path + "/.local/share/auricle/presets"
    #expect(PresetStore.defaultRoot.path == expected)
  }
}

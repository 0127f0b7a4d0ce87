// A live set in a configuration, bounced and refused.

import BuiltInUnits
import Configuration
import Foundation
import MediaFiles
import SamplerUnit
import SessionModel
import TestSupport
import Testing
import Tools

@Suite(.serialized) struct LiveSetTests {
  /// A folder with two SoundFonts: a constant on the left, a constant on the right.
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    for (name, pan) in [("left", -50.0), ("right", 50)] {
      let zone = SoundFontMaker.Zone(sample: .constant(), panPercent: pan, tracksKey: false)
      try SoundFontMaker(presets: [.init(program: 3, name: name, zones: [zone])])
        .write(to: folder.file("\(name).sf2"))
    }
  }

  static let unit = """
    [[unit]]
    id = "keys"
    component = "sampler"
    soundfont = "left.sf2"
    program = 3
    """

  static let entries = """
    [[unit.entry]]
    number = 4
    name = "Left"

    [[unit.entry]]
    number = 5
    name = "Right"
    soundfonts = [ { file = "left.sf2" }, { file = "right.sf2", bank-offset = 2 } ]
    bank = 2
    parameters = { gain = -6.0 }
    """

  func build(_ toml: String) async throws -> SessionPlan {
    let file = folder.file("config.toml")
    try Data(toml.utf8).write(to: file)
    return try await SessionBuilder(registry: try BuiltInComponents.makeRegistry())
      .build(contentsOf: file)
  }

  @Test(arguments: ["true", "false"])
  func aBounceChangesTheSoundOnTheFrameOfTheProgramChange(preload: String) async throws {
    var file = MIDIFileMaker.frameExact(sampleRate: 48000)
    file.add([0x90, 60, 127], at: 1000)
    file.add([0xC0, 5], at: 5555)
    file.add([0x90, 64, 127], at: 5555)
    file.add([0x80, 60, 0], at: 20_000)
    file.add([0x80, 64, 0], at: 20_000)
    let midi = folder.file("song.mid")
    try Data(file.bytes()).write(to: midi)
    var outputs: [[[Float]]] = []
    for period in [1024, 100] {
      let plan = try await build(Self.unit + "\nentry-preload = \(preload)\n" + Self.entries)
      let output = folder.file("out.wav")
      _ = try Bounce(
        plan,
        BounceOptions(
          midi: midi, output: output, period: period, tailSeconds: 0, overwrites: true)
      ).run()
      let reader = try AudioFileReader(contentsOf: output)
      outputs.append(try reader.read(maximumFrames: reader.frameCount))
    }
    #expect(outputs[0] == outputs[1])
    let (left, right) = (outputs[0][0], outputs[0][1])
    #expect(left.firstIndex { $0 != 0 }.map { $0 >= 1000 && $0 < 1064 } == true)
    // The pan of a new voice glides from the middle to the left within a block.
    #expect(right[1064..<5555].allSatisfy { $0 == 0 })
    #expect(right[5555..<5619].contains { $0 != 0 })
    // The held note keeps ringing with its own entry, on the left.
    #expect(abs(20 * log10(Double(left[19_000] / left[5000]))) < 0.01)
    #expect(abs(20 * log10(Double(right[19_000] / left[19_000])) + 6) < 0.01)
  }

  @Test func thePresetOfTheUnitIsTheEntryToBeginWith() async throws {
    let plan = try await build(Self.unit + "\npreset = \"Right\"\n" + Self.entries)
    let sampler = try #require(plan.graph.nodes[0].unit as? SamplerUnit)
    #expect(sampler.currentEntry?.number == 5 && sampler.currentPreset?.name == "Right")
    #expect(sampler.soundFonts.map(\.bankOffset) == [0, 2])
    #expect(sampler.parameterTree.parameter(keyPath: "gain")!.value == -6)
  }

  @Test(
    arguments: [
      ("preset = \"Rigth\"\n", entries, 6, "unknown preset 'Rigth'"),
      ("", entries.replacing("bank = 2", with: "bank = 7"), 14, "no program 3 in bank 7"),
      ("", entries.replacing("gain", with: "gian"), 15, "unknown parameter 'gian'"),
      ("", entries.replacing("gain = -6.0", with: "gain = 60"), 15, "out of range"),
      (
        "", entries.replacing("gain = -6.0", with: "synths = 3"), 15,
        "does not change while playing"
      ),
      ("", entries.replacing("right.sf2", with: "wrong.sf2"), 13, "no SoundFont 'wrong.sf2'"),
      ("entry-channel = 3\n", "", 6, "'entry-channel' without an entry"),
    ])
  func mistakesAreReportedWithTheirLine(
    keys: String, entries: String, line: Int, message: String
  ) async throws {
    let error = try await #require(throws: ConfigurationError.self) {
      try await build(Self.unit + "\n" + keys + entries)
    }
    #expect(error.first.location.line == line, "\(error)")
    #expect(error.first.message.contains(message), "\(error)")
  }

  @Test func otherUnitsHaveNoEntries() async throws {
    let unit =
      "[[unit]]\nid = \"f\"\ncomponent = \"filter\"\n[[unit.entry]]\nnumber = 1\nname = \"A\"\n"
    let error = try await #require(throws: ConfigurationError.self) { try await build(unit) }
    #expect(error.description.contains("component 'filter' has no 'entry'"))
  }
}

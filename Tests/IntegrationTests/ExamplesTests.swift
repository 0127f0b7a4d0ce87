// Examples: their behaviour, and their text in the guide to units.

import Foundation
import MediaFiles
import SessionTestSupport
import TestSupport
import Testing

@Suite(.serialized) struct ExamplesTests {
  static let folder = ReadyConfigurations.folder.deletingLastPathComponent()
    .appendingPathComponent("Examples")

  @Test func theGuideToUnitsShowsTheExamplesFiles() throws {
    let guide = try ["WritingAUnit", "WritingAMIDIUnit", "WritingAView"].map {
      try Page("Sources/Auricle/Auricle.docc/\($0).md").text
    }.joined()
    let file = /`(?<path>[\w\/.]+)`:\n\n```\w+\n(?<text>[^`]+)```\n/
    let matches = guide.matches(of: file)
    #expect(
      matches.map { String($0.output.path) }.sorted() == [
        "Package.swift", "Sources/OwnUnit/Gain.swift", "Sources/OwnUnit/GainView.swift",
        "Sources/OwnUnit/OrganKernel.swift",
        "Sources/OwnUnit/OrganUnit.swift", "Sources/OwnUnit/Program.swift",
        "Tests/OwnUnitTests/GainTests.swift", "organ.toml",
      ])
    for match in matches {
      let text = try String(
        contentsOf: Self.folder.appendingPathComponent("OwnUnit/\(match.output.path)"),
        encoding: .utf8)
      #expect(match.output.text == text, "\(match.output.path)")
    }
  }

  @Test func aGainIsTwentyLines() throws {
    let text = try String(
      contentsOf: Self.folder.appendingPathComponent("OwnUnit/Sources/OwnUnit/Gain.swift"),
      encoding: .utf8)
    let code = text.split(separator: "\n").filter { !$0.hasPrefix("//") && !$0.hasPrefix("  //") }
    #expect(code.count <= 20)
  }

  @Test func thePageOfTheEngineShowsTheExamplesFiles() throws {
    let files = ["Siren", "Memo", "Notes", "Bounce", "Hum"].map { "Sources/EngineTour/\($0).swift" }
    let page = try Page("docs/Engine.md")
    #expect(files.allSatisfy { page.text.contains("`\($0)`:") })
    #expect(
      try page.blocks("swift").map { $0 + "\n" }
        == files.map {
          try String(
            contentsOf: Self.folder.appendingPathComponent("EngineTour/\($0)"), encoding: .utf8)
        })
  }

  @Test func unitsOfTheGuidesKeepTheirPromises() async throws {
    let program = try ChildProcess(
      builtProduct("OwnUnit"), ["validate", "gain", "organ", "--strict"])
    #expect(try await program.wait() == .exited(0), "\(program.standardOutput)")
  }

  @Test func aProgramWithOwnUnitsHasAllCommandsForThem() async throws {
    let directory = try TemporaryDirectory()
    var notes = MIDIFileMaker.frameExact(sampleRate: 48000)
    notes.addNote(81, at: 4800, length: 4800)
    let midi = directory.file("notes.mid")
    try Data(notes.bytes()).write(to: midi)
    let list = try ChildProcess(builtProduct("OwnUnit"), ["units"])
    #expect(try await list.wait() == .exited(0))
    #expect(list.standardOutput.contains("organ  aumu/orgn/Demo  Organ"))

    func bounce(_ configuration: URL) async throws -> [Float] {
      let output = directory.file("out.wav")
      let program = try ChildProcess(
        builtProduct("OwnUnit"),
        [
          "bounce", configuration.path, "--midi", midi.path, "--output", output.path, "--tail",
          "0", "--format", "float", "--overwrite",
        ])
      #expect(try await program.wait() == .exited(0), "\(program.standardError)")
      let reader = try AudioFileReader(contentsOf: output)
      return try reader.read(maximumFrames: reader.frameCount)[0]
    }
    let organ = Self.folder.appendingPathComponent("OwnUnit/organ.toml")
    let samples = try await bounce(organ)
    #expect(samples[..<4800].allSatisfy { $0 == 0 })
    // A5 an octave lower: a tenth of a second has a tenth of the hertz as periods, each with one
    // rise through zero.
    func rises(_ samples: [Float]) -> Int {
      zip(samples[4800..<9600], samples[4801..<9600]).count { $0 < 0 && $1 >= 0 }
    }
    #expect((43...44).contains(rises(samples)))

    // The key `tuning` of the organ.
    let higher = try directory.write(
      String(contentsOf: organ, encoding: .utf8).replacing("tuning = 442", with: "tuning = 480"),
      to: "higher.toml")
    #expect((47...48).contains(rises(try await bounce(higher))))
  }

  @Test func aGraphThatIsBuiltInCodePlaysOnAServer() async throws {
    let server = try await JackServer.start(period: 256)
    let directory = try TemporaryDirectory()
    let font = SoundFontMaker(presets: [
      .init(program: 0, name: "Sine", zones: [.init(sample: .sine(periodFrames: 100))])
    ])
    let file = try font.write(to: directory.file("sine.sf2"))
    let recorder = try JackTestClient(server, "recorder", audioInputs: 1)
    let program = try ChildProcess(
      builtProduct("PlayGraph"), [file.path], environment: ["JACK_DEFAULT_SERVER": server.name])
    // Its ports exist before it is active and may be connected. Its own connections are made after
    // that.
    #expect(
      await eventually {
        recorder.connections(of: "system:playback_1") == ["play-graph:lowpass_out_1"]
      })
    try await recorder.connect("play-graph:lowpass_out_1", to: "recorder:audio_in_1")
    let take = try await JackTestClient.run([recorder], frames: 48_000)[0]
    #expect(peakDecibels(take.audio[0]) > -40)
    #expect(try await program.wait() == .exited(0), "\(program.standardError)")
  }
}

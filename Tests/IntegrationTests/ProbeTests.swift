// `auricle probe`: it finds onsets on any instrument.

import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct ProbeTests {
  private func configuration(_ soundFont: URL?) -> String {
    let font = soundFont.map { "soundfont = \"\($0.path)\"" } ?? ""
    return
      "[client]\nname = \"auricle\"\n[[unit]]\nid = \"piano\"\ncomponent = \"sampler\"\n\(font)\n"
  }

  private static let ports = [
    "--midi", "auricle:piano_midi_in", "--audio", "auricle:piano_out_1",
  ]

  private func report(_ child: ChildProcess) throws -> [String: Any] {
    let json = try JSONSerialization.jsonObject(with: Data(child.standardOutput.utf8))
    return try #require(json as? [String: Any], "\(child.transcript)")
  }

  @Test(arguments: [64, 1024])
  func theSamplersOnsetsDoNotSpread(period: Int) async throws {
    let directory = try TemporaryDirectory()
    let font = try SoundFontMaker(presets: [
      .init(program: 0, name: "Sine", zones: [.init(sample: .sine(periodFrames: 100))])
    ]).write(to: directory.file("test.sf2"))
    let server = try await JackServer.start(period: period)
    let session = try await RunningAuricle(configuration(font), on: server)
    let (status, child) = try await auricle(
      ["probe"] + Self.ports + [
        "--server", server.name, "--notes", "8", "--interval", "0.2", "--json",
      ])
    #expect(status == .exited(0), "\(child.transcript)")
    let report = try report(child)
    #expect(report["missing"] as? Int == 0 && report["masked"] as? Int == 0)
    // A busy machine may lose cycles, and notes with them.
    #expect((report["heard"] as? Int ?? 0) + (report["lost"] as? Int ?? 0) == 8)
    #expect(report["heard"] as? Int ?? 0 > 0)
    #expect(report["spreadFrames"] as? Int == 0)
    #expect(report["periodFrames"] as? Int == period)
    try await session.expectEnd()
  }

  @Test func anInstrumentWithoutASoundIsAFailureThatSaysSo() async throws {
    let server = try await JackServer.start(period: 256)
    let session = try await RunningAuricle(configuration(nil), on: server)
    let (status, child) = try await auricle(
      ["probe"] + Self.ports + [
        "--server", server.name, "--notes", "2", "--interval", "0.1", "--json",
      ])
    #expect(status == .exited(1))
    let report = try report(child)
    // A busy machine may lose cycles, and notes with them.
    #expect((report["missing"] as? Int ?? 0) + (report["lost"] as? Int ?? 0) == 2)
    #expect(child.standardError.contains("no note was heard"))
    try await session.expectEnd()
  }

  @Test func aWrongPortIsAnsweredWithThoseThatThereAre() async throws {
    let server = try await JackServer.start(period: 256)
    let session = try await RunningAuricle(configuration(nil), on: server)
    let (status, child) = try await auricle(
      ["probe", "--midi", "piano", "--audio", "auricle:piano_out_1", "--server", server.name])
    #expect(status == .exited(1))
    #expect(child.standardError.contains("there is no MIDI input port 'piano'"))
    #expect(child.standardError.contains("auricle:piano_midi_in"))
    try await session.expectEnd()
  }

  @Test func anInterruptEndsAProbeWithItsResultsSoFar() async throws {
    let server = try await JackServer.start(period: 256)
    let session = try await RunningAuricle(configuration(nil), on: server)
    let child = try ChildProcess(
      builtProduct("auricle"), ["probe"] + Self.ports + ["--server", server.name])
    let observer = try JackTestClient(server, "observer")
    try await observer.waitForPort("auricle-probe-ear:audio_in")
    try await observer.waitForCycles(200)
    child.signal(SIGINT)
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
    #expect(child.standardOutput.contains("lost notes"))
    try await session.expectEnd()
  }

  @Test(arguments: [
    ["--notes", "0"], ["--key", "128"], ["--interval", "0"], ["--threshold", "0"],
    ["--channel", "17"],
  ])
  func badUsageIsStatus2(option: [String]) async throws {
    let (status, child) = try await auricle(["probe"] + Self.ports + option)
    #expect(status == .exited(2))
    #expect(child.standardError.contains("\(option[0]) takes"))
  }
}

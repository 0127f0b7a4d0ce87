// The probe: it finds onsets where they are, on any instrument.

import Foundation
import JackBackend
import TestSupport
import Testing

@testable import Session

@Suite struct OnsetAnalysisTests {
  private static let period = 64

  private var options: ProbeOptions {
    var options = ProbeOptions(midi: "midi", audio: "audio")
    options.noteCount = 4
    options.interval = 0.1
    return options
  }

  /// A recording of notes that begin `latencies` frames after their own; nil makes no sound.
  private func recording(
    _ latencies: [Int?], change: (inout [Float], [Int]) -> Void = { _, _ in }
  ) -> ProbeRecording {
    let plan = options.plan(sampleRate: 8000, period: Self.period)
    let sent = plan.messages.map(\.frame)
    let starts = (0..<4).map { sent[ProbeOptions.noteOn($0)] }
    var samples = [Float](repeating: 0, count: plan.frames)
    for (start, latency) in zip(starts, latencies) {
      guard let latency else { continue }
      for frame in 0..<200 { samples[start + latency + frame] = 0.5 }
    }
    change(&samples, starts)
    return ProbeRecording(
      sampleRate: 8000, period: Self.period, samples: samples, sentFrames: sent)
  }

  @Test func onsetsAreFoundOnTheirFramesAlsoBeforeTheNotes() {
    let report = ProbeReport(recording([0, 17, -20, 3]), options)
    #expect(report.notes.map(\.latencyFrames) == [0, 17, -20, 3])
    #expect(report.spreadFrames == 37)
    #expect(report.latencyFrames?.median == 3)
  }

  @Test func aNoteThatIsNotHeardIsMissing() {
    let report = ProbeReport(recording([0, nil, 0, 0]), options)
    #expect(report.notes.map(\.outcome) == ["heard", "missing", "heard", "heard"])
    #expect(report.missing == 1 && report.heard == 3)
  }

  @Test func aSoundThatGoesOnMasksTheNextNote() {
    let report = ProbeReport(
      recording([0, 0, 0, 0]) { samples, starts in
        for frame in starts[1]..<starts[2] { samples[frame] = 0.5 }
      }, options)
    #expect(report.notes.map(\.outcome) == ["heard", "heard", "masked", "heard"])
  }

  @Test func framesThatTheServerSkippedMakeNotesLost() {
    let report = ProbeReport(
      recording([0, nil, 0, 0]) { samples, starts in samples[starts[1] + 5] = .nan }, options)
    #expect(report.notes.map(\.outcome) == ["heard", "lost", "heard", "heard"])
  }

  @Test func backgroundNoiseBelowTheThresholdIsNoOnset() {
    let report = ProbeReport(
      recording([9, 9, 9, 9]) { samples, _ in
        for frame in samples.indices { samples[frame] += frame % 2 == 0 ? 5e-5 : -5e-5 }
      }, options)
    #expect(report.notes.map(\.latencyFrames) == [9, 9, 9, 9])
  }

  @Test(arguments: [16, 1024, 8192])
  func theNotesLieInDifferentPlacesOfThePeriodAndInOrder(period: Int) {
    var options = options
    options.noteCount = 64
    let plan = options.plan(sampleRate: 48_000, period: period)
    let frames = plan.messages.map(\.frame)
    #expect(frames == frames.sorted())
    #expect(plan.frames > frames[frames.count - 1])
    let places = Set((0..<64).map { frames[ProbeOptions.noteOn($0)] % period })
    #expect(places.count > min(period, 64) / 3)
  }
}

@Suite(.serialized) struct ProbeTests {
  private func configuration(_ soundFont: URL?) -> String {
    let font = soundFont.map { "soundfont = \"\($0.path)\"" } ?? ""
    return
      "[client]\nname = \"auricle\"\n[[unit]]\nid = \"piano\"\ncomponent = \"sampler\"\n\(font)\n"
  }

  private static let ports = [
    "--midi", "auricle:piano_midi_in", "--audio", "auricle:piano_out_1",
  ]

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
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(child.standardOutput.utf8)) as? [String: Any])
    #expect(report["missing"] as? Int == 0 && report["masked"] as? Int == 0)
    // A machine that is busy elsewhere may lose cycles, and notes with them.
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
      ["probe"] + Self.ports + ["--server", server.name, "--notes", "2", "--interval", "0.1"])
    #expect(status == .exited(1))
    #expect(child.standardOutput.contains("missing notes  2"))
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

  @Test func anInterruptEndsItWithWhatItHas() async throws {
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

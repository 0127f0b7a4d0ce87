// The probe finds onsets on their frames.

import JackBackend
import Testing

@testable import Tools

@Suite struct OnsetAnalysisTests {
  private static let period = 64

  private var options: ProbeOptions {
    var options = ProbeOptions(midi: "midi", audio: "audio")
    options.noteCount = 4
    options.interval = 0.1
    return options
  }

  /// Returns a recording of notes `latencies` frames after their messages; nil is silent.
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
    #expect(report.text.contains("missing notes  1"))
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

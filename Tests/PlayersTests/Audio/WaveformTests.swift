// Waveforms of players.

import Files
import Foundation
import MediaFiles
import TestSupport
import Testing

@testable import Players

@Suite struct WaveformTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func write(_ channels: [[Float]], to name: String = "a.wav") throws -> URL {
    let url = directory.file(name)
    let writer = try AudioFileWriter(
      url: url, sampleRate: 48_000, channelCount: channels.count)
    try writer.write(channels)
    try writer.finish()
    return url
  }

  private func waveform(_ url: URL) throws -> [Float] {
    let unit = try ScheduledPlayerUnit()
    try unit.setContent(contentsOf: url)
    return try unit.waveform()?.peaks ?? []
  }

  /// A peak is that of all channels, and of each frame of its part.
  @Test(arguments: [1, 1_999, 2_000, 3_999, 4_000, 100_000, 131_072])
  func peaksAreTheGreatestSamplesOfTheirParts(_ frames: Int) throws {
    var left = (0..<frames).map { Float($0) / Float(frames) / 2 }
    var right = [Float](repeating: 0, count: frames)
    (left[frames / 3], right[frames / 2]) = (-0.75, 1)
    let unit = try ScheduledPlayerUnit()
    try unit.setContent(contentsOf: write([left, right]))
    let waveform = try #require(try unit.waveform())
    #expect(waveform.seconds == Double(frames) / 48_000)
    var length = 1
    while frames / length >= PeakCollector.most { length *= 2 }
    let expected = stride(from: 0, to: frames, by: length).map { start in
      (start..<min(start + length, frames)).reduce(Float(0)) { max($0, abs(left[$1]), right[$1]) }
    }
    #expect(waveform.peaks == expected)
    #expect(waveform.peaks.count <= PeakCollector.most)
  }

  @Test func aWaveformIsReadOnceUntilItsFileChanges() throws {
    let url = try write([[0.5, 0.25]])
    let unit = try ScheduledPlayerUnit()
    try unit.setContent(contentsOf: url)
    #expect(try unit.waveform()?.peaks == [0.5, 0.25])
    let kept = unit.keptWaveform.withLock { $0?.stamp }
    #expect(try unit.waveform()?.peaks == [0.5, 0.25])
    #expect(unit.keptWaveform.withLock { $0?.stamp } == kept && kept != nil)
    _ = try write([[0.125, 1, 0]])
    #expect(try unit.waveform()?.peaks == [0.125, 1, 0])
    try unit.setContent(contentsOf: write([[1]], to: "b.wav"))
    #expect(try unit.waveform()?.peaks == [1])
    try FileManager.default.removeItem(at: directory.file("b.wav"))
    #expect(throws: AudioFileError.self) { try unit.waveform() }
  }

  @Test func aPlayerWithoutAFileHasNone() throws {
    let unit = try ScheduledPlayerUnit()
    #expect(try unit.waveform() == nil)
    try unit.setContent(AudioClip([[1, 0], [0, 0]], sampleRate: 48_000))
    #expect(try unit.waveform() == nil)
  }

  @Test func itIsNotReadFurtherOnceNobodyAsksAnyMore() throws {
    let unit = try ScheduledPlayerUnit()
    try unit.setContent(contentsOf: write([[0.5]]))
    FileWait.$current.withValue(FileWait(isAbandoned: { true })) {
      #expect(throws: AudioFileError.self) { try unit.waveform() }
    }
    #expect(try unit.waveform()?.peaks == [0.5])
  }

  /// Samples of damaged files can be anything.
  @Test func oddSamplesAreNoPeaks() {
    var peaks = PeakCollector()
    for sample in [Float.nan, 0.5, .infinity] { peaks.add(sample) }
    #expect(peaks.result == [0, 0.5, PeakCollector.greatest])
  }
}

// Recorded MIDI files: times, tempo, long pauses, and files that are not complete.

import Files
import Foundation
import TestSupport
import Testing

@testable import MediaFiles

@Suite struct MIDIFileWriterTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func writer(_ sampleRate: Double = 48_000) throws -> MIDIFileWriter {
    try MIDIFileWriter(recordingTo: folder.file("take.mid"), sampleRate: sampleRate)
  }

  /// Messages and their times, as another program reads them.
  private func read() throws -> (file: MIDIFile, messages: [[UInt8]]) {
    let file = try MIDIFile(contentsOf: folder.file("take.mid"))
    return (file, file.events.map { Array(file.bytes(of: $0)) })
  }

  private func frames(_ file: MIDIFile, _ sampleRate: Double = 48_000) -> [Int] {
    file.events.map { Int(($0.seconds * sampleRate).rounded()) }
  }

  @Test(arguments: [44_100.0, 48_000])
  func messagesKeepTheirFrames(sampleRate: Double) throws {
    var random = SeededRandom(seed: 5)
    let times = (0..<2000).map { _ in Int.random(in: 0..<2_000_000, using: &random) }.sorted()
    let writer = try writer(sampleRate)
    for (index, frame) in times.enumerated() {
      writer.append([0x90, UInt8(index % 128), 1], at: frame)
      if index % 10 == 0 { try writer.extend(to: frame) }
    }
    try writer.extend(to: 2_000_001)
    try writer.finish()
    let (file, messages) = try read()
    #expect(frames(file, sampleRate) == times)
    #expect(messages.map { $0[1] } == times.indices.map { UInt8($0 % 128) })
    #expect(abs(file.durationSeconds * sampleRate - 2_000_001) < 0.6)
    #expect(file.remarks.isEmpty)
  }

  @Test func everyKindOfMessageIsReadAsItWas() throws {
    let sent: [[UInt8]] = [
      [0xB0, 7, 100], [0xC5, 12], [0xDF, 3], [0xE1, 0, 64], [0xA2, 60, 5], [0x80, 60, 64],
      [0xF0, 0x7E, 0x7F, 9, 1, 0xF7], [0xF0] + [UInt8](repeating: 1, count: 70_000) + [0xF7],
    ]
    let writer = try writer()
    for (index, message) in sent.enumerated() { writer.append(message, at: 10 * index) }
    try writer.extend(to: 100)
    try writer.finish()
    #expect(try read().messages == sent)
  }

  /// A tempo that changes in every cycle, as that of a ritardando does.
  @Test func manyTemposDoNotAddTheirRounding() throws {
    let writer = try writer()
    var times: [Int] = []
    for cycle in 0..<5000 {
      writer.append(microsecondsPerQuarterNote: 500_001 + 17 * cycle, at: 64 * cycle)
      times.append(64 * cycle + 31)
      writer.append([0x90, 60, 1], at: 64 * cycle + 31)
      try writer.extend(to: 64 * cycle + 64)
    }
    try writer.finish()
    let (file, messages) = try read()
    #expect(messages.count == 5000)
    // A tick of the slowest tempo is 1.2 frames long.
    #expect(zip(frames(file), times).allSatisfy { abs($0 - $1) <= 1 })
    #expect(file.tempoMap.points.count == 5000)
  }

  @Test func tempoAndTimeSignatureAreRead() throws {
    let writer = try writer()
    writer.append(microsecondsPerQuarterNote: 400_000, at: 0)
    writer.append(timeSignature: 7, 8, at: 0)
    writer.append([0x90, 60, 1], at: 96_000)
    try writer.extend(to: 96_001)
    try writer.finish()
    let (file, _) = try read()
    #expect(frames(file) == [96_000])
    let point = try #require(file.tempoMap.points.first)
    #expect(point.quarterNotesPerMinute == 150)
    #expect((point.timeSignatureNumerator, point.timeSignatureDenominator) == (7, 8))
  }

  /// The time between two events has 28 bits: 93 minutes at 120 quarter notes a minute.
  @Test func aPauseMayLastHours() throws {
    let day = 24 * 3600 * 48_000
    let writer = try writer()
    writer.append([0x90, 60, 1], at: day)
    try writer.extend(to: 2 * day)
    try writer.finish()
    let (file, _) = try read()
    #expect(frames(file) == [day])
    #expect(abs(file.durationSeconds - 2 * 24 * 3600) < 1e-3)
  }

  @Test func theFileIsWholeWhileItGrows() throws {
    let writer = try writer()
    #expect(try read().messages.isEmpty)
    for second in 0..<5 {
      writer.append([0x90, UInt8(second), 1], at: 48_000 * second)
      try writer.extend(to: 48_000 * (second + 1))
      let (file, messages) = try read()
      #expect(messages.count == second + 1)
      #expect(file.durationSeconds == Double(second + 1))
      #expect(file.remarks.isEmpty)
    }
  }

  @Test func anExistingFileStays() throws {
    _ = try folder.write("mine", to: "take.mid")
    #expect(throws: AudioFileError.exists(file: folder.file("take.mid").relativePath)) {
      _ = try writer()
    }
    #expect(try String(contentsOf: folder.file("take.mid"), encoding: .utf8) == "mine")
  }

  @Test func moreThanAFileTakesIsRefusedAndTheRestStays() throws {
    let writer = try writer()
    let message = [0xF0] + [UInt8](repeating: 1, count: 1 << 20) + [0xF7]
    #expect {
      for index in 0..<40 {
        writer.append(message, at: index)
        try writer.extend(to: index + 1)
      }
    } throws: {
      "\($0)".contains("32 MB at most")
    }
    #expect(try read().messages.count == 31)
    #expect(throws: AudioFileError.self) { try writer.finish() }
  }
}

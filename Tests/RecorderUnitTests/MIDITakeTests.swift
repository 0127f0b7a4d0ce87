// Takes of MIDI: their messages on their frames, tempo, notes that are held, and full queues.

import Foundation
import MediaFiles
import Realtime
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitRender
import UnitTestSupport

@testable import RecorderUnit

@Suite struct MIDITakeTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func recorder(
    _ values: [String: Float] = [:], sampleRate: Double = 48_000, writesByItself: Bool = true
  ) throws -> RecorderUnit {
    let unit = try RecorderUnit(
      RecorderUnit.component.description, bufferSeconds: 1, writesByItself: writesByItself)
    try unit.setTarget(folder.file("take.mid"))
    for (keyPath, value) in values {
      try #require(unit.parameterTree.parameter(keyPath: keyPath)).setValue(value)
    }
    try unit.allocate(channels: 1, sampleRate: sampleRate)
    return unit
  }

  /// Messages of a take with their frames, and its file.
  private func read(
    _ name: String = "take.mid", sampleRate: Double = 48_000
  ) throws -> (events: [TimedMIDI], file: MIDIFile) {
    let file = try MIDIFile(contentsOf: folder.file(name))
    #expect(file.remarks.isEmpty)
    let events = file.events.map { event in
      TimedMIDI(
        frame: Int((event.seconds * sampleRate).rounded()), bytes: Array(file.bytes(of: event)))
    }
    return (events, file)
  }

  private func set(_ unit: RecorderUnit, _ isRecording: Bool, at frame: FrameTime) throws {
    try unit.scheduleParameter(
      unit.$recording.address, value: isRecording ? 1 : 0, at: .frame(frame))
  }

  private func send(_ unit: RecorderUnit, _ events: [TimedMIDI]) throws {
    for event in events {
      try unit.scheduleMIDI(event.bytes, at: .frame(FrameTime(event.frame)))
    }
  }

  private func silence(_ frames: Int) -> [[Float]] { [Signal.silence(frames: frames)] }

  @Test(arguments: Periods.all)
  func messagesAreOnTheirFrames(periods: Periods) throws {
    let unit = try recorder()
    let sysEx = [0xF0] + (0..<200).map { UInt8($0 % 128) } + [0xF7]
    let within: [TimedMIDI] = [
      TimedMIDI(frame: 1234, bytes: [0xB0, 64, 127]),
      TimedMIDI(frame: 1234, bytes: [0x90, 60, 100]),
      TimedMIDI(frame: 1235, bytes: [0xC3, 5]), TimedMIDI(frame: 4000, bytes: sysEx),
      TimedMIDI(frame: 4001, bytes: [0xE0, 1, 64]), TimedMIDI(frame: 7000, bytes: [0x80, 60, 0]),
      TimedMIDI(frame: 11_110, bytes: [0xB0, 64, 0]),
    ]
    try send(unit, [TimedMIDI(frame: 1233, bytes: [0x90, 1, 1])])
    try set(unit, true, at: 1234)
    // A clock has no place in a file.
    try send(unit, within + [TimedMIDI(frame: 5000, bytes: [0xF8])])
    try set(unit, false, at: 11_111)
    try send(unit, [TimedMIDI(frame: 11_111, bytes: [0x90, 2, 2])])
    let input = [Signal.noise(frames: 20_000, seed: 1)]
    #expect(try DirectHost(unit).run(input, periods: periods) == input)
    unit.finish()
    let (events, file) = try read()
    let taken = within.map { TimedMIDI(frame: $0.frame - 1234, bytes: $0.bytes) }
    #expect(events == taken)
    #expect(abs(file.durationSeconds * 48_000 - 9877) < 0.5)
    #expect(unit.noteCount == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["take.mid"])
  }

  @Test(arguments: [44_100.0, 48_000, 96_000])
  func everyRateKeepsFrames(sampleRate: Double) throws {
    let unit = try recorder(["recording": 1], sampleRate: sampleRate)
    let sent = (0..<100).map { TimedMIDI(frame: 97 * $0 + 3, bytes: [0x90, UInt8($0), 0]) }
    try send(unit, sent)
    _ = try DirectHost(unit).run(silence(10_000))
    unit.finish()
    let events = try read(sampleRate: sampleRate).events
    #expect(events.map(\.bytes) == sent.map(\.bytes))
    // A tick of 120 quarter notes a minute is two frames of 96 kHz.
    let most = sampleRate > 48_000 ? 1 : 0
    #expect(zip(events, sent).allSatisfy { abs($0.frame - $1.frame) <= most })
  }

  @Test func notesAndPedalsThatAreDownEndWithTheTake() throws {
    let unit = try recorder(["recording": 1])
    try send(
      unit,
      [
        TimedMIDI(frame: 10, bytes: [0x90, 60, 100]), TimedMIDI(frame: 11, bytes: [0x95, 61, 100]),
        TimedMIDI(frame: 12, bytes: [0xB0, 64, 100]), TimedMIDI(frame: 13, bytes: [0x90, 62, 100]),
        TimedMIDI(frame: 14, bytes: [0x90, 62, 0]), TimedMIDI(frame: 15, bytes: [0xB0, 7, 100]),
      ])
    try set(unit, false, at: 500)
    _ = try DirectHost(unit).run(silence(1000))
    unit.finish()
    #expect(
      try read().events.suffix(3) == [
        TimedMIDI(frame: 500, bytes: [0x80, 60, 64]), TimedMIDI(frame: 500, bytes: [0x85, 61, 64]),
        TimedMIDI(frame: 500, bytes: [0xB0, 64, 0]),
      ])
  }

  @Test(arguments: Periods.all)
  func aTakeMayBeginWithTheFirstNote(periods: Periods) throws {
    let unit = try recorder(["recording": 1, "start": 1])
    try send(
      unit,
      [
        TimedMIDI(frame: 3000, bytes: [0xB0, 1, 1]), TimedMIDI(frame: 3333, bytes: [0x90, 60, 1]),
        TimedMIDI(frame: 5000, bytes: [0x80, 60, 1]),
      ])
    _ = try DirectHost(unit).run(silence(9000), periods: periods)
    unit.finish()
    #expect(
      try read().events == [
        TimedMIDI(frame: 0, bytes: [0x90, 60, 1]), TimedMIDI(frame: 1667, bytes: [0x80, 60, 1]),
      ])
  }

  @Test func everyRollOfTheTransportIsATakeWithItsTempo() throws {
    let unit = try recorder(["recording": 1, "start": 2])
    let host = try DirectHost(unit)
    host.musicalContext.valid = UInt32(kMusicalContextTempo | kMusicalContextTimeSignature)
    host.musicalContext.timeSignatureNumerator = 6
    host.musicalContext.timeSignatureDenominator = 8
    for (cycle, tempo) in [90.0, 100, 100, 150, .nan, 75].enumerated() {
      host.musicalContext.tempo = tempo
      host.musicalContext.transportFlags = cycle == 0 || cycle == 4 ? 0 : UInt32(kTransportMoving)
      try send(unit, [TimedMIDI(frame: 2400 * cycle + 1200, bytes: [0x90, UInt8(cycle), 0])])
      for _ in 0..<3 { _ = try host.render(800, inputs: [silence(800)]) }
    }
    unit.finish()
    let (events, file) = try read()
    #expect(
      events == [
        TimedMIDI(frame: 1200, bytes: [0x90, 1, 0]),
        TimedMIDI(frame: 3600, bytes: [0x90, 2, 0]),
        TimedMIDI(frame: 6000, bytes: [0x90, 3, 0]),
      ])
    #expect(file.tempoMap.points.map { $0.quarterNotesPerMinute.rounded() } == [100, 150])
    #expect(file.tempoMap.points.map { Int(($0.seconds * 48_000).rounded()) } == [0, 4800])
    #expect(file.tempoMap.points.allSatisfy { $0.timeSignatureNumerator == 6 })
    let second = try read("take-2.mid")
    #expect(second.events == [TimedMIDI(frame: 1200, bytes: [0x90, 5, 0])])
    #expect(second.file.tempoMap.points.map(\.quarterNotesPerMinute) == [75])
  }

  @Test func skippedFramesKeepTheirTime() throws {
    let unit = try recorder(["recording": 1])
    let host = try DirectHost(unit)
    _ = try host.render(1000, inputs: [silence(1000)])
    host.frame = 5000
    try send(unit, [TimedMIDI(frame: 5500, bytes: [0x90, 60, 0])])
    _ = try host.render(1000, inputs: [silence(1000)])
    unit.finish()
    let (events, file) = try read()
    #expect(events == [TimedMIDI(frame: 5500, bytes: [0x90, 60, 0])])
    #expect(abs(file.durationSeconds * 48_000 - 6000) < 0.5)
  }

  /// A server's restart sets its clock back.
  @Test func aClockThatBeginsAgainContinuesTheTake() throws {
    let unit = try recorder(["recording": 1])
    let host = try DirectHost(unit)
    host.frame = 1_000_000
    _ = try host.render(1000, inputs: [silence(1000)])
    host.frame = 0
    try send(unit, [TimedMIDI(frame: 300, bytes: [0x90, 60, 0])])
    _ = try host.render(1000, inputs: [silence(1000)])
    unit.finish()
    #expect(try read().events == [TimedMIDI(frame: 1300, bytes: [0x90, 60, 0])])
  }

  @Test func moreThanTheQueueHoldsIsCountedAndTheRestIsOnItsFrame() throws {
    let unit = try recorder(["recording": 1], writesByItself: false)
    let host = try DirectHost(unit)
    let long = [0xF0] + [UInt8](repeating: 1, count: 1000) + [0xF7]
    var sent = 0
    for cycle in 0..<200 {
      for place in 0..<10 {
        try send(unit, [TimedMIDI(frame: 64 * cycle + place, bytes: long)])
        sent += 1
      }
      _ = try host.render(64, inputs: [silence(64)])
    }
    unit.serveOffline()
    try send(unit, [TimedMIDI(frame: 64 * 200, bytes: [0x90, 60, 0])])
    _ = try host.render(64, inputs: [silence(64)])
    unit.finish()
    let events = try read().events
    let missing = try #require(unit.counts.first { $0.what.contains("MIDI") }?.number)
    #expect(missing > 0 && events.count == sent - missing + 1)
    #expect(events.dropLast().allSatisfy { $0.bytes == long })
    #expect(events.last == TimedMIDI(frame: 64 * 200, bytes: [0x90, 60, 0]))
    let news = try #require(unit.takeNews().last)
    #expect(news.kind == .failed && news.text.contains("\(missing) MIDI messages are missing"))
  }

  @Test func messagesBetweenTakesBelongToNone() throws {
    let unit = try recorder()
    try set(unit, true, at: 100)
    try set(unit, false, at: 200)
    try set(unit, true, at: 300)
    try set(unit, false, at: 400)
    try send(
      unit, (0..<50).map { TimedMIDI(frame: 10 * $0, bytes: [0xB0, UInt8($0), 1]) })
    _ = try DirectHost(unit).run(silence(1000), periods: .fixed(1000))
    unit.finish()
    for (name, first) in [("take.mid", 10), ("take-2.mid", 30)] {
      #expect(
        try read(name).events
          == (0..<10).map { TimedMIDI(frame: 10 * $0, bytes: [0xB0, UInt8(first + $0), 1]) })
    }
  }

  @Test func aTargetWithAFormatOfSamplesIsRefused() throws {
    let unit = try RecorderUnit()
    #expect {
      try unit.setTarget(folder.file("take.mid"), encoding: .int16)
    } throws: {
      "\($0)".contains("a MIDI file has no sample format")
    }
    #expect {
      try unit.setTarget(folder.file("take.xyz"))
    } throws: {
      "\($0)".contains(".mid") && "\($0)".contains(".wav")
    }
    try unit.setTarget(folder.file("TAKE.MID"))
  }

  /// Runs as root only, who may mount a small disk.
  @Test(.enabled(if: geteuid() == 0))
  func aFullDiskEndsTheTakeAndKeepsWhatIsThere() throws {
    let disk = folder.file("disk").path
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    guard mount("tmpfs", disk, "tmpfs", 0, "size=64k") == 0 else { return }
    defer { umount2(disk, Int32(MNT_DETACH)) }
    let unit = try RecorderUnit(
      RecorderUnit.component.description, bufferSeconds: 1, writesByItself: false)
    try unit.setTarget(URL(fileURLWithPath: "\(disk)/take.mid"))
    let recording = try #require(unit.parameterTree.parameter(keyPath: "recording"))
    try recording.setValue(1)
    try unit.allocate(channels: 1, sampleRate: 48_000)
    let host = try DirectHost(unit)
    for cycle in 0..<60 {
      try send(
        unit,
        (0..<400).map { TimedMIDI(frame: 1000 * cycle + $0, bytes: [0xB0, 1, UInt8($0 % 128)]) })
      _ = try host.render(1000, inputs: [silence(1000)])
      unit.serveOffline()
    }
    #expect(recording.value == 0)
    #expect(unit.takeNews().contains { $0.kind == .failed && $0.text.contains("no space left") })
    let file = try MIDIFile(contentsOf: URL(fileURLWithPath: "\(disk)/take.mid"))
    #expect(file.events.count > 5000)
    #expect(unit.hasFailed)
  }
}

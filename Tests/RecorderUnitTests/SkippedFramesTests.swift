// A take keeps its length over frames that no cycle rendered.

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

@Suite struct SkippedFramesTests {
  private let folder: TemporaryDirectory
  private let unit: RecorderUnit
  private let input = Signal.noise(frames: 40_000, seed: 1, amplitude: 0.5)

  init() throws {
    folder = try TemporaryDirectory()
    unit = try RecorderUnit(
      RecorderUnit.component.description, bufferSeconds: 1, writesByItself: false)
    try unit.setTarget(folder.file("take.wav"))
    try unit.allocate(channels: 1, sampleRate: 48_000)
  }

  private func value(_ keyPath: String) -> Float {
    unit.parameterTree.parameter(keyPath: keyPath)!.value
  }

  private func read(_ name: String = "take.wav") throws -> [Float] {
    try AudioFileReader(contentsOf: folder.file(name)).read()[0]
  }

  private func set(_ isRecording: Bool, at frame: FrameTime) throws {
    try unit.scheduleParameter(
      unit.$recording.address, value: isRecording ? 1 : 0, at: .frame(frame))
  }

  /// Renders the input's frames except those of `gap`, in cycles of `period`.
  ///
  /// - Returns: the input with silence in the gap.
  private func render(_ period: Int, without gap: Range<Int>, to end: Int) throws -> [Float] {
    let host = try DirectHost(unit)
    var heard = Signal.silence(frames: end)
    for first in stride(from: 0, to: end, by: period) where !gap.contains(first) {
      host.frame = FrameTime(first)
      let samples = Array(input[first..<first + period])
      _ = try host.render(period, inputs: [[samples]])
      heard.replaceSubrange(first..<first + period, with: samples)
      unit.serveOffline()
    }
    return heard
  }

  @Test(arguments: [16, 64, 256, 1024, 2048], [1, 3])
  func aTakeHasSilenceForSkippedFrames(period: Int, cycles: Int) throws {
    let gap = 4 * period..<(4 + cycles) * period
    try set(true, at: FrameTime(2 * period + 7))
    try set(false, at: FrameTime(10 * period - 5))
    let heard = try render(period, without: gap, to: 12 * period)
    unit.finish()
    #expect(try read() == Array(heard[2 * period + 7..<10 * period - 5]))
    #expect(abs(value("time") - Float(8 * period - 12) / 48_000) < 1e-6)
    let news = try #require(unit.takeNews().last)
    #expect(news.kind == .failed)
    #expect(news.text.contains("of which \(gap.count) frames are silence: the server skipped"))
    #expect(unit.counts.first { $0.what.contains("server") }?.number == gap.count)
    #expect(unit.counts.first { $0.what.contains("disk") }?.number == 0)
    let marks = try String(contentsOf: folder.file("take.wav.marks.txt"), encoding: .utf8)
    let times = [2 * period - 7, (2 + cycles) * period - 7].map {
      String(format: "%.6f", Double($0) / 48_000)
    }
    #expect(marks == "\(times[0])\t\(times[1])\tskipped by the server\n")
  }

  @Test(arguments: [16, 64, 256, 1024, 2048])
  func takesBeginAndEndOnTheirFrameAmongSkippedFrames(period: Int) throws {
    // One take ends in the gap, another lies within it, and the third begins there.
    let gap = 4 * period..<7 * period
    try set(true, at: FrameTime(period))
    try set(false, at: FrameTime(4 * period + 3))
    try set(true, at: FrameTime(5 * period))
    try set(false, at: FrameTime(6 * period + 1))
    try set(true, at: FrameTime(7 * period - 2))
    try set(false, at: FrameTime(9 * period - 1))
    let heard = try render(period, without: gap, to: 12 * period)
    unit.finish()
    #expect(try read() == Array(heard[period..<4 * period + 3]))
    #expect(try read("take-2.wav") == Signal.silence(frames: period + 1))
    #expect(try read("take-3.wav") == Array(heard[7 * period - 2..<9 * period - 1]))
    #expect(unit.counts.first { $0.what.contains("server") }?.number == 3 + period + 1 + 2)
  }

  @Test func anEventThatCameLateTakesEffectAtOnce() throws {
    let host = try DirectHost(unit)
    try set(true, at: 0)
    _ = try host.render(100, inputs: [[Array(input[..<100])]])
    try set(false, at: 50)
    _ = try host.render(100, inputs: [[Array(input[100..<200])]])
    unit.finish()
    #expect(try read() == Array(input[..<100]))
  }

  @Test func aGapOfMoreThanTenMinutesBeginsAnotherTake() throws {
    let host = try DirectHost(unit)
    try set(true, at: 0)
    _ = try host.render(100, inputs: [[Array(input[..<100])]])
    host.frame = .max / 2
    _ = try host.render(100, inputs: [[Array(input[100..<200])]])
    unit.mark("here", at: host.frame - 10)
    unit.finish()
    #expect(try read() == Array(input[..<100]))
    #expect(try read("take-2.wav") == Array(input[100..<200]))
    #expect(unit.takeNews().contains { $0.kind == .failed && $0.text.contains("begins another") })
  }

  @Test func aPauseAndAnotherClockAreNoSkips() throws {
    let host = try DirectHost(unit, frame: 5000)
    try set(true, at: 5000)
    _ = try host.render(100, inputs: [[Array(input[..<100])]])
    host.frame = 9000
    unit.endPause()
    _ = try host.render(100, inputs: [[Array(input[100..<200])]])
    host.frame = 20
    _ = try host.render(100, inputs: [[Array(input[200..<300])]])
    unit.finish()
    #expect(try read() == Array(input[..<300]))
    #expect(unit.counts.allSatisfy { $0.number == 0 })
  }

  @Test func marksStandBesideTheTake() throws {
    let host = try DirectHost(unit, frame: 1000)
    unit.mark("too early", at: 1000)
    try set(true, at: 1000)
    _ = try host.render(480)
    unit.serveOffline()
    #expect(unit.file?.lastPathComponent == "take.wav" && unit.takePeak() == 0)
    unit.mark("a source\nis gone", at: 1480)
    _ = try host.render(480, inputs: [[Array(repeating: -0.25, count: 480)]])
    unit.serveOffline()
    #expect(unit.takePeak() == 0.25 && unit.takePeak() == 0)
    unit.finish()
    #expect(unit.file == nil)
    let marks = try String(contentsOf: folder.file("take.wav.marks.txt"), encoding: .utf8)
    #expect(marks == "0.010000\t0.010000\ta source\\u{a}is gone\n")
    #expect(unit.takeNews().last?.text.hasSuffix("0.020 s; take.wav.marks.txt says where") == true)
  }

  @Test func aTakeWithoutAFileIsNoRecording() throws {
    let host = try DirectHost(unit)
    try FileManager.default.removeItem(at: folder.url)
    try set(true, at: 0)
    _ = try host.render(100)
    #expect(value("recording") == 1 && value("running") == 1)
    unit.serveOffline()
    _ = try host.render(100)
    #expect(value("recording") == 0 && value("running") == 0)
    // Recording may be tried again.
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    try set(true, at: 200)
    _ = try host.render(100, inputs: [[Array(input[..<100])]])
    unit.serveOffline()
    _ = try host.render(100, inputs: [[Array(input[100..<200])]])
    #expect(value("recording") == 1 && value("running") == 1)
    unit.finish()
    #expect(try read() == Array(input[..<200]))
    #expect(unit.counts.first { $0.what.contains("ended early") }?.number == 1)
  }

  /// Runs as root only, who may mount a small disk.
  @Test(.enabled(if: geteuid() == 0))
  func aFullDiskEndsTheTakeAndIsReadOff() throws {
    let disk = folder.file("disk").path
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    guard mount("tmpfs", disk, "tmpfs", 0, "size=64k") == 0 else { return }
    defer { umount2(disk, Int32(MNT_DETACH)) }
    let unit = try RecorderUnit(
      RecorderUnit.component.description, bufferSeconds: 1, writesByItself: false)
    try unit.setTarget(URL(fileURLWithPath: "\(disk)/take.wav"))
    let recording = try #require(unit.parameterTree.parameter(keyPath: "recording"))
    try recording.setValue(1)
    try unit.parameterTree.parameter(keyPath: "start")!.setValue(2)
    try unit.allocate(channels: 1, sampleRate: 48_000)
    let host = try DirectHost(unit)
    host.musicalContext.transportFlags = UInt32(kTransportMoving)
    for _ in 0..<40 {
      _ = try host.render(1000, inputs: [[Array(input[..<1000])]])
      unit.serveOffline()
    }
    #expect(recording.value == 0)
    #expect(unit.takeNews().contains { $0.kind == .failed && $0.text.contains("no space left") })
    unit.finish()
    // No further take begins by itself.
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk) == ["take.wav"])
  }
}

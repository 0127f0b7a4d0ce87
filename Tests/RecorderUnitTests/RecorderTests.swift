// Contents, starts and ends of takes.

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

@Suite struct RecorderTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func recorder(
    _ name: String = "take.wav", channels: Int = 2, _ values: [String: Float] = [:]
  ) throws -> RecorderUnit {
    let unit = try RecorderUnit()
    try unit.setTarget(folder.file(name))
    for (keyPath, value) in values {
      try #require(unit.parameterTree.parameter(keyPath: keyPath)).setValue(value)
    }
    try unit.allocate(channels: channels, sampleRate: 48_000)
    return unit
  }

  private func noise(_ frames: Int, channels: Int = 2) -> [[Float]] {
    (0..<channels).map { Signal.noise(frames: frames, seed: UInt64($0) + 1, amplitude: 0.5) }
  }

  private func read(_ name: String) throws -> [[Float]] {
    try AudioFileReader(contentsOf: folder.file(name)).read()
  }

  private func set(_ unit: RecorderUnit, _ isRecording: Bool, at frame: FrameTime) throws {
    try unit.scheduleParameter(
      unit.$recording.address, value: isRecording ? 1 : 0, at: .frame(frame))
  }

  @Test(arguments: Periods.all)
  func aTakeBeginsAndEndsOnItsFrame(periods: Periods) throws {
    let unit = try recorder()
    let input = noise(20_000)
    try set(unit, true, at: 1234)
    try set(unit, false, at: 11_111)
    try set(unit, true, at: 11_111)
    try set(unit, false, at: 11_112)
    let output = try DirectHost(unit).run(input, periods: periods)
    #expect(output == input)
    unit.finish()
    #expect(try read("take.wav") == input.map { Array($0[1234..<11_111]) })
    #expect(try read("take-2.wav") == input.map { [$0[11_111]] })
    let news = unit.takeNews().map(\.text).filter { $0.contains(" has ") }
    #expect(news.count == 2 && news[0].hasSuffix("take.wav has 0.206 s"))
    #expect(news[1].hasSuffix("take-2.wav has 0.000 s"))
  }

  @Test func existingFilesStay() throws {
    _ = try folder.write("mine", to: "take.wav")
    _ = try folder.write("mine too", to: "take-2.wav")
    let unit = try recorder(channels: 1, ["recording": 1])
    let input = noise(500, channels: 1)
    _ = try DirectHost(unit).run(input)
    unit.finish()
    #expect(try read("take-3.wav") == input)
    #expect(try String(contentsOf: folder.file("take.wav"), encoding: .utf8) == "mine")
  }

  @Test(arguments: ["take.flac", "take.caf", "take.aiff", "take.w64"])
  func everyKindOfFileIsWritten(name: String) throws {
    let unit = try recorder(name, ["recording": 1])
    let input = noise(5000)
    _ = try DirectHost(unit).run(input)
    unit.finish()
    let recorded = try read(name)
    for (channel, samples) in recorded.enumerated() {
      let step = Float(1.0 / 4_194_304)
      #expect(zip(samples, input[channel]).allSatisfy { abs($0 - $1) < step })
      #expect(samples.count == 5000)
    }
  }

  @Test(arguments: Periods.all)
  func itMayWaitForTheFirstNote(periods: Periods) throws {
    let unit = try recorder(channels: 1, ["recording": 1, "start": 1])
    let input = noise(9000, channels: 1)
    try unit.scheduleMIDI([0x80, 60, 0], at: .frame(1000))
    try unit.scheduleMIDI([0x90, 60, 0], at: .frame(2000))
    try unit.scheduleMIDI([0x90, 60, 1], at: .frame(3333))
    try unit.scheduleMIDI([0x90, 64, 1], at: .frame(5000))
    _ = try DirectHost(unit).run(input, periods: periods)
    unit.finish()
    #expect(try read("take.wav") == [Array(input[0][3333...])])
  }

  @Test func itMayFollowTheTransport() throws {
    let unit = try recorder(channels: 1, ["recording": 1, "start": 2])
    let host = try DirectHost(unit)
    let input = noise(1000, channels: 1)[0]
    for (index, isRolling) in [false, true, true, false, true, false].enumerated() {
      host.musicalContext.transportFlags = isRolling ? UInt32(kTransportMoving) : 0
      let range = index * 100..<index * 100 + 100
      _ = try host.render(100, inputs: [[Array(input[range])]])
    }
    unit.finish()
    #expect(try read("take.wav") == [Array(input[100..<300])])
    #expect(try read("take-2.wav") == [Array(input[400..<500])])
  }

  @Test func itsParametersTellOfTheTake() throws {
    let unit = try recorder(channels: 1)
    let host = try DirectHost(unit)
    func value(_ keyPath: String) -> Float {
      unit.parameterTree.parameter(keyPath: keyPath)!.value
    }
    _ = try host.render(480)
    #expect(value("running") == 0)
    try set(unit, true, at: 480)
    _ = try host.render(480)
    _ = try host.render(480)
    #expect(value("running") == 1 && value("recording") == 1 && value("time") == 0.02)
  }

  @Test func framesThatTheDiskMissesAreSilenceAndReported() throws {
    let unit = try RecorderUnit(
      RecorderUnit.component.description, bufferSeconds: 0.01, writesByItself: false)
    try unit.setTarget(folder.file("take.wav"))
    try unit.parameterTree.parameter(keyPath: "recording")!.setValue(1)
    try unit.allocate(channels: 1, sampleRate: 48_000)
    let host = try DirectHost(unit)
    let input = noise(4096, channels: 1)[0]
    // The buffer has 1024 frames, and nothing is taken from it during the first 2048.
    for first in stride(from: 0, to: 4096, by: 64) {
      if first >= 2048 { unit.serveOffline() }
      _ = try host.render(64, inputs: [[Array(input[first..<first + 64])]])
    }
    unit.finish()
    let expected = input[..<1024] + Signal.silence(frames: 1024) + input[2048...]
    #expect(try read("take.wav") == [Array(expected)])
    let news = try #require(unit.takeNews().last)
    #expect(news.kind == .failed && news.text.contains("of which 1024 frames are silence"))
  }

  @Test func aMissingFolderIsReported() throws {
    let unit = try RecorderUnit()
    try unit.setTarget(folder.file("none/take.wav"))
    try unit.parameterTree.parameter(keyPath: "recording")!.setValue(1)
    try unit.allocate(channels: 1, sampleRate: 48_000)
    _ = try DirectHost(unit).run(noise(100, channels: 1))
    unit.finish()
    let news = unit.takeNews()
    #expect(news.count == 1 && news[0].kind == .failed)
    #expect(news[0].text.contains("cannot create") && news[0].text.contains("none/take.wav"))
    #expect(throws: AudioFileError.self) { try unit.setTarget(folder.file("take.xyz")) }
  }

  /// The file is unfinished, as after a kill. Frames beyond an AIFF header's length are not read.
  @Test func aRunningRecordingCanBeRead() async throws {
    let unit = try recorder("take.aiff", channels: 1, ["recording": 1])
    let host = try DirectHost(unit)
    let input = noise(4 * 48_000, channels: 1)
    _ = try host.run(input)
    let wasThere = await eventually {
      ((try? read("take.aiff").first?.count) ?? 0) >= 48_000
    }
    #expect(wasThere)
    let step = Float(1.0 / 4_194_304)
    #expect(zip(try read("take.aiff")[0], input[0]).allSatisfy { abs($0 - $1) < step })
  }
}

// Sounds whose sample rate differs from the session's.

import Foundation
import MediaFiles
import Players
import TestSupport
import Testing
import UnitModel
import UnitTestSupport

@Suite struct ConversionTests {
  /// Away from both ends: the silence beyond them changes the sine there.
  @Test(arguments: [
    (44_100.0, 48_000.0), (48_000, 44_100), (96_000, 48_000), (48_000, 96_000), (47_999, 48_000),
    (22_050, 48_000), (192_000, 44_100),
  ])
  func aSineStaysOne(from: Double, to: Double) throws {
    let hertz = 997.0
    let clip = try AudioClip(
      [Signal.sine(frames: Int(from), frequencyHertz: hertz, sampleRate: from, amplitude: 0.5)],
      sampleRate: from)
    let converted = try clip.converted(to: to)
    #expect(converted.frameCount == Int(to))
    let ideal = Signal.sine(frames: Int(to), frequencyHertz: hertz, sampleRate: to, amplitude: 0.5)
    let range = Int(to / 10)..<Int(to * 0.9)
    let error = zip(converted.channels[0][range], ideal[range]).map { Double($0 - $1) }
    let power = error.reduce(0) { $0 + $1 * $1 } / Double(range.count)
    let ratio = 10 * log10(0.125 / power)
    #expect(ratio > 110, "\(ratio) dB")
  }

  @Test func theLengthIsTheNearestFrame() throws {
    for frames in [1, 2, 30, 441, 44_101] {
      let clip = try AudioClip([Signal.noise(frames: frames, seed: 1)], sampleRate: 44_100)
      let expected = max(1, Int((Double(frames) * 48_000 / 44_100).rounded()))
      #expect(try clip.converted(to: 48_000).frameCount == expected)
    }
  }

  @Test func aPlayerConvertsClipsToItsRate() throws {
    let rig = try PlayerRig()
    let clip = try AudioClip(
      [Signal.sine(frames: 44_100, frequencyHertz: 441, sampleRate: 44_100)], sampleRate: 44_100)
    try rig.player.schedule(clip)
    try rig.player.play()
    try rig.render(to: 48_128)
    #expect(try rig.output[0] == clip.converted(to: 48_000).channels[0] + silence(128))
  }

  /// Pieces played one after the other give the signal that they were cut from.
  @Test(arguments: [
    (47_999.0, 30), (48_001, 30), (44_100, 30), (44_100, 441), (96_000, 100), (22_050, 7),
    (47_999, 4096),
  ])
  func piecesAreOneSignal(rate: Double, length: Int) async throws {
    let hertz = 997.0
    let count = Int(rate / 4) / length
    let whole = Signal.sine(
      frames: count * length, frequencyHertz: hertz, sampleRate: rate, amplitude: 0.5)
    let rig = try PlayerRig()
    try rig.player.play()
    for piece in 0..<count {
      let samples = Array(whole[piece * length..<(piece + 1) * length])
      try rig.player.schedule(
        AudioClip([samples], sampleRate: rate), reporting: .rendered, rig.reports.handler(""))
    }
    let frames = Int((Double(count * length) * 48_000 / rate).rounded(.up))
    try rig.render(to: frames + 100, periods: .random(upTo: 300, seed: 3))
    let ideal = Signal.sine(frames: frames, frequencyHertz: hertz, amplitude: 0.5)
    let range = 300..<frames - 300
    let error = zip(rig.output[0][range], ideal[range]).map { Double($0 - $1) }
    let power = error.reduce(0) { $0 + $1 * $1 } / Double(range.count)
    let ratio = 10 * log10(0.125 / power)
    #expect(ratio > 85, "\(ratio) dB")
    #expect(rig.output[0][frames...].allSatisfy { $0 == 0 })
    // Each piece ends where the next begins, to the frame.
    let reports = await rig.reports.wait(for: count)
    #expect(
      reports.map(\.report.frame)
        == (1...count).map {
          Int64((Double($0 * length) * 48_000 / rate - 1e-9).rounded(.up))
        })
  }

  /// A piece scheduled while the end of the previous one plays continues it.
  @Test(arguments: [0, 10, 47, 60])
  func aPieceThatComesLateLosesNothing(frames early: Int) throws {
    let rig = try PlayerRig()
    try rig.player.play()
    let whole = Signal.sine(
      frames: 4410, frequencyHertz: 200, sampleRate: 44_100, amplitude: 0.5)
    try rig.player.schedule(AudioClip([Array(whole[..<2205])], sampleRate: 44_100))
    try rig.render(to: 2400 - early, periods: .fixed(100))
    try rig.player.schedule(AudioClip([Array(whole[2205...])], sampleRate: 44_100))
    try rig.render(to: 4900, periods: .fixed(100))
    let ideal = Signal.sine(frames: 4800, frequencyHertz: 200, amplitude: 0.5)
    // Except around the seam, because the first piece was converted without the second.
    for range in [100..<2340, 2460..<4700] {
      let output = Array(rig.output[0][range])
      #expect(peakDecibels(difference: output, Array(ideal[range])) < -80, "\(range)")
    }
    #expect(rig.output[0][4800...].allSatisfy { $0 == 0 })
  }

  @Test func aRateThatIsNoneIsRefused() throws {
    let clip = try AudioClip([[1, 2, 3]], sampleRate: 48_000)
    #expect(throws: AudioClipError.self) { try clip.converted(to: 0) }
    #expect(throws: AudioClipError.self) { try clip.converted(to: -1) }
    #expect(throws: AudioClipError.self) { try clip.converted(to: .infinity) }
    #expect(throws: AudioClipError.self) { try clip.converted(to: .nan) }
  }
}

// Sounds of other sample rates than the session's.

import Foundation
import MediaFiles
import ScheduledPlayer
import TestSupport
import Testing
import UnitModel
import UnitTestSupport

@Suite struct ConversionTests {
  /// Away from both ends, where a sine cannot be what it was: beyond them there is silence.
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

  @Test func aPlayerConvertsWhatItIsGiven() throws {
    let rig = try PlayerRig()
    let clip = try AudioClip(
      [Signal.sine(frames: 44_100, frequencyHertz: 441, sampleRate: 44_100)], sampleRate: 44_100)
    try rig.player.schedule(clip)
    try rig.player.play()
    try rig.render(to: 48_128)
    #expect(try rig.output[0] == clip.converted(to: 48_000).channels[0] + silence(128))
  }

  @Test func aRateThatIsNoneIsRefused() throws {
    let clip = try AudioClip([[1, 2, 3]], sampleRate: 48_000)
    #expect(throws: AudioClipError.self) { try clip.converted(to: 0) }
    #expect(throws: AudioClipError.self) { try clip.converted(to: -1) }
    #expect(throws: AudioClipError.self) { try clip.converted(to: .infinity) }
    #expect(throws: AudioClipError.self) { try clip.converted(to: .nan) }
  }
}

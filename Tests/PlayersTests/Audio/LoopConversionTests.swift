// Loops whose sample rate differs from the session's.

import Foundation
import MediaFiles
import Players
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitRender
import UnitTestSupport

/// A loop of whole periods of a sine.
struct SineLoop: CustomTestStringConvertible, Sendable {
  let rate: Double
  let sessionRate: Double
  let frames: Int
  let periods: Int

  var testDescription: String { "\(frames) frames of \(rate) Hz at \(sessionRate) Hz" }

  var hertz: Double { Double(periods) * rate / Double(frames) }
  /// The length of a pass in frames of the session.
  var passFrames: Double { Double(frames) * sessionRate / rate }

  static let all = [
    SineLoop(rate: 44_100, sessionRate: 48_000, frames: 1000, periods: 10),
    SineLoop(rate: 44_100, sessionRate: 48_000, frames: 101, periods: 1),
    SineLoop(rate: 44_100, sessionRate: 48_000, frames: 88_200, periods: 200),
    SineLoop(rate: 48_000, sessionRate: 44_100, frames: 777, periods: 7),
    SineLoop(rate: 96_000, sessionRate: 48_000, frames: 333, periods: 3),
    SineLoop(rate: 22_050, sessionRate: 48_000, frames: 7, periods: 1),
    SineLoop(rate: 47_999, sessionRate: 48_000, frames: 30, periods: 1),
    SineLoop(rate: 192_000, sessionRate: 44_100, frames: 20_011, periods: 50),
    // Ten seconds: too long for a number of passes that is a whole number of frames.
    SineLoop(rate: 44_100, sessionRate: 48_000, frames: 441_037, periods: 4000),
  ]

  func clip() throws -> AudioClip {
    try AudioClip(
      [Signal.sine(frames: frames, frequencyHertz: hertz, sampleRate: rate, amplitude: 0.5)],
      sampleRate: rate)
  }

  /// Returns the sine from a frame of the session on.
  func ideal(_ count: Int, from frame: Int = 0) -> [Float] {
    (0..<count).map {
      let turns = (Double(frame + $0) * hertz / sessionRate).truncatingRemainder(dividingBy: 1)
      return Float(0.5 * sin(2 * .pi * turns))
    }
  }

  /// Returns the frames after the end of the first passes.
  func ends(_ count: Int) -> [Int64] {
    (1...count).map { Int64((Double($0) * passFrames - 1e-6).rounded(.up)) }
  }

  /// Returns the level of the sine above the sound's difference from it, in decibels.
  func ratio(_ output: ArraySlice<Float>, from frame: Int) -> Double {
    let expected = ideal(output.count, from: frame)
    let power = zip(output, expected).reduce(0) { sum, pair in
      sum + Double(pair.0 - pair.1) * Double(pair.0 - pair.1)
    }
    return 10 * log10(0.125 * Double(output.count) / power)
  }
}

extension PlayerRig {
  /// Renders up to `frames` frames, and reads streamed sound in time.
  fileprivate func renderServing(to frames: Int) throws {
    while output[0].count < frames {
      player.serveOffline()
      let next = min(frames, output[0].count + 10_000)
      try render(to: next, periods: .random(upTo: 1000, seed: UInt64(next)))
    }
  }
}

@Suite struct LoopConversionTests {
  /// No seam remains, and nothing drifts.
  @Test(arguments: SineLoop.all)
  func aSineOfWholePeriodsGoesOnForEver(loop: SineLoop) async throws {
    let rig = try PlayerRig(sampleRate: loop.sessionRate)
    try rig.player.schedule(
      loop.clip(), options: .loops, reporting: .looped, rig.reports.handler(""))
    try rig.player.play()
    let passes = max(3, Int(150_000 / loop.passFrames))
    let frames = Int(loop.ends(passes).last!)
    try rig.renderServing(to: frames)
    // A sound that is read while it is played begins in silence.
    let ratio = loop.ratio(rig.output[0][300...], from: 300)
    #expect(ratio > 95, "\(ratio) dB")
    let reports = await rig.reports.wait(for: passes)
    #expect(reports.map(\.report.passes) == Array(1...passes))
    #expect(reports.map(\.report.frame) == loop.ends(passes))
  }

  @Test(arguments: [SineLoop.all[0], SineLoop.all[3]])
  func itIsLeftAtTheEndOfAPass(loop: SineLoop) async throws {
    let rig = try PlayerRig(sampleRate: loop.sessionRate)
    try rig.player.schedule(
      loop.clip(), options: .loops, reporting: .rendered, rig.reports.handler("loop"))
    try rig.player.play()
    let end = Int(loop.ends(7).last!)
    try rig.render(to: end - 10, periods: .fixed(100))
    let next = try AudioClip([Signal.noise(frames: 500, seed: 2)], sampleRate: loop.sessionRate)
    try rig.player.schedule(next, options: .interruptsAtLoop)
    try rig.render(to: end + 500, periods: .fixed(100))
    #expect(firstBitDifference(Array(rig.output[0][end...]), next.channels[0]) == nil)
    let report = await rig.reports.wait(for: 1)[0].report
    #expect(report == PlaybackReport(stage: .rendered, frame: Int64(end), passes: 7, isWhole: true))
  }

  /// A pause fades out, and playback resumes where it was, also after the first pass.
  @Test func itIsPausedAndGoesOn() throws {
    let loop = SineLoop.all[0]
    let rig = try PlayerRig(fade: 5)
    try rig.player.schedule(loop.clip(), options: .loops)
    try rig.player.play()
    try rig.player.pause(at: .frame(5000))
    try rig.player.play(at: .frame(7000))
    try rig.render(to: 12_000)
    #expect(largestStep(rig.output[0]) < largestStep(loop.ideal(5000)) + 0.5 / 240)
    #expect(loop.ratio(rig.output[0][7240...], from: 5240) > 95)
  }

  private func content(_ loop: SineLoop, loops: Bool) throws -> ScheduledPlayerUnit {
    let player = try ScheduledPlayerUnit(channels: 1)
    try player.setContent(loop.clip())
    for (key, value) in [("loop", loops ? 1 : 0), ("fade", 0)] as [(String, Float)] {
      try player.parameterTree.parameter(keyPath: key)!.setValue(value)
    }
    try player.allocate(channels: 1, sampleRate: loop.sessionRate)
    return player
  }

  @Test(arguments: [SineLoop.all[0], SineLoop.all[8]])
  func aTransportFindsItsPlaceInIt(loop: SineLoop) throws {
    let player = try content(loop, loops: true)
    try player.parameterTree.parameter(keyPath: "transport")!.setValue(1)
    let host = try DirectHost(player)
    host.musicalContext.valid = UInt32(kTransportPosition)
    host.musicalContext.transportFlags = UInt32(kTransportMoving)
    for start in [0, 1_000_000_007, 1089, 160_000] {
      // After a jump the sound is read from the new position.
      host.musicalContext.samplePosition = Double(start)
      _ = try host.render(500)
      player.serveOffline()
      var output: [Float] = []
      for cycle in 5..<40 {
        host.musicalContext.samplePosition = Double(start + cycle * 100)
        output += try host.render(100)[0][0]
      }
      #expect(loop.ratio(output[...], from: start + 500) > 95, "\(start)")
    }
    #expect(player.missedFrames == 0)
  }

  /// A sound played once begins and ends in silence: its end is not heard before its start.
  @Test func aContentIsSwitchedToLoopingAndBack() throws {
    let loop = SineLoop.all[0]
    let player = try content(loop, loops: false)
    let host = try DirectHost(player)
    let once = try loop.clip().converted(to: 48_000).channels[0]
    try player.play()
    var output = try host.render(1024)[0][0]
    try player.parameterTree.parameter(keyPath: "loop")!.setValue(1)
    for _ in 0..<10 { output += try host.render(1000)[0][0] }
    try player.parameterTree.parameter(keyPath: "loop")!.setValue(0)
    for _ in 0..<2 { output += try host.render(1000)[0][0] }
    #expect(firstBitDifference(Array(output[..<1088]), once) == nil)
    let end = 1088 + Int(loop.ends(10).last!)
    #expect(loop.ratio(output[1088..<end], from: 0) > 95)
    #expect(output[end...].allSatisfy { $0 == 0 })
    try player.play()
    #expect(firstBitDifference(Array(try host.render(1088)[0][0]), once) == nil)
  }

  /// If a server has another sample rate, the position in the pass is kept.
  @Test func itGoesOnAtAnotherRate() throws {
    let loop = SineLoop.all[0]
    let player = try ScheduledPlayerUnit(channels: 1)
    try player.allocate(channels: 1)
    try player.schedule(loop.clip(), options: .loops)
    try player.play()
    for _ in 0..<3 { _ = try DirectHost(player).render(1000) }
    try player.deallocateRenderResources()
    try player.allocate(channels: 1, sampleRate: 96_000)
    let output = try DirectHost(player).render(1000)[0][0]
    let faster = SineLoop(rate: 44_100, sessionRate: 96_000, frames: 1000, periods: 10)
    // Frame 3000 is 823.1 frames into the third pass.
    let place = 2 * (3000 - Int(loop.ends(2).last!))
    #expect(faster.ratio(output[500...], from: place + 500) > 40)
  }

  /// Files are read while they are played.
  @Test func aStreamedLoopOfAnotherRateHasNoSeam() throws {
    let loop = SineLoop(rate: 44_100, sessionRate: 48_000, frames: 60_013, periods: 500)
    let folder = try TemporaryDirectory()
    let url = folder.url.appendingPathComponent("loop.wav")
    let writer = try AudioFileWriter(url: url, sampleRate: loop.rate, channelCount: 1)
    try writer.write(loop.clip().channels)
    try writer.finish()
    let rig = try PlayerRig()
    try rig.player.schedule(contentsOf: url, streams: true, options: .loops)
    try rig.player.play()
    try rig.renderServing(to: 300_000)
    #expect(rig.player.missedFrames == 0)
    #expect(loop.ratio(rig.output[0][300...], from: 300) > 95)
    #expect(rig.player.takeNews().isEmpty)
  }

  @Test func aLoopThatIsShorterThanAFrameIsConstant() throws {
    let rig = try PlayerRig(sampleRate: 44_100)
    try rig.player.schedule(
      AudioClip([[0.5, 0.25]], sampleRate: 192_000), options: .loops)
    try rig.player.play()
    try rig.render(to: 1000)
    #expect(rig.output[0].allSatisfy { $0 == rig.output[0][0] && abs($0) < 0.5 })
  }
}

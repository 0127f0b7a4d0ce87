// Starting, pausing and stopping, the player's own timeline and the host's.

import MediaFiles
import Realtime
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitRender
import UnitTestSupport

@testable import Players

@Suite struct PlayerTransportTests {
  @Test(arguments: Periods.all)
  func theTimelineStandsInAPauseAndRestartsAfterAStop(periods: Periods) throws {
    let rig = try PlayerRig()
    let first = try rig.schedule(1000, seed: 1)
    let second = try rig.schedule(500, seed: 2, at: 1500)
    try rig.player.play(at: .frame(10))
    try rig.player.pause(at: .frame(410))
    try rig.player.play(at: .frame(700))
    try rig.render(to: 3000, periods: periods)
    let expected =
      silence(10) + first[..<400] + silence(290) + first[400...] + silence(500) + second
      + silence(700)
    #expect(firstBitDifference(rig.output[0], expected) == nil)
    #expect(rig.player.playerTime == PlayerTime(sampleTime: 2700, sampleRate: 48_000))

    try rig.player.stop()
    let third = try rig.schedule(100, seed: 3, at: 50)
    try rig.player.play()
    try rig.render(to: 3500, periods: periods)
    #expect(
      firstBitDifference(Array(rig.output[0][3000...]), silence(50) + third + silence(350)) == nil)
    #expect(rig.player.isPlaying)
  }

  @Test func aStopDropsOnlyEarlierClips() async throws {
    let rig = try PlayerRig()
    let first = try rig.schedule(1000, seed: 1, name: "first", reporting: [.consumed])
    try rig.schedule(1000, seed: 2, name: "dropped", reporting: [.consumed])
    try rig.player.play()
    try rig.player.stop(at: .frame(300))
    let after = try rig.schedule(400, seed: 3, name: "after", reporting: [.consumed])
    try rig.player.play(at: .frame(500))
    try rig.render(to: 1024)
    let expected = first[..<300] + silence(200) + after + silence(124)
    #expect(firstBitDifference(rig.output[0], Array(expected)) == nil)
    let reports = await rig.reports.wait(for: 3)
    #expect(reports.map(\.name) == ["first", "dropped", "after"])
    #expect(reports.map(\.report.frame) == [300, nil, 900])
  }

  @Test func manyThatAreDroppedAtOnceAreAllReported() async throws {
    let rig = try PlayerRig()
    for number in 0..<2000 {
      try rig.schedule(10, name: "\(number)", reporting: [.rendered])
    }
    try rig.player.stop()
    try rig.render(to: 4096)
    let reports = await rig.reports.wait(for: 2000)
    #expect(reports.map(\.name) == (0..<2000).map(String.init))
    #expect(reports.allSatisfy { !$0.report.isWhole && $0.report.frame == nil })
  }

  @Test func pausesAndStopsFadeOutAndContinuationsFadeIn() throws {
    let rig = try PlayerRig(fade: 10)
    try rig.player.schedule(
      AudioClip([Signal.constant(0.5, frames: 20_000)], sampleRate: 48_000))
    try rig.player.play()
    try rig.player.pause(at: .frame(1000))
    try rig.player.play(at: .frame(3000))
    try rig.player.stop(at: .frame(5000))
    try rig.render(to: 8000, periods: .random(upTo: 300, seed: 1))
    let output = rig.output[0]
    #expect(output[..<1000].allSatisfy { $0 == 0.5 })
    #expect(largestStep(output) <= 0.5 / 480 + 1e-6)
    #expect(output[1480..<3000].allSatisfy { $0 == 0 } && output[1478] > 0)
    #expect(output[3480..<5000].allSatisfy { $0 == 0.5 } && output[3478] < 0.5)
    #expect(output[5480...].allSatisfy { $0 == 0 })
  }

  @Test func transportChangesDoNotClick() throws {
    let rig = try PlayerRig(fade: 10)
    var random = SeededRandom(seed: 3)
    let constant = try AudioClip([Signal.constant(0.5, frames: 700)], sampleRate: 48_000)
    for number in 1...200 {
      if number % 10 == 1 {
        try rig.player.schedule(constant, options: [.loops, .interrupts])
      }
      let frame = EventTime.frame(Int64(rig.output[0].count) + .random(in: 0..<200, using: &random))
      if Bool.random(using: &random) {
        try rig.player.play(at: frame)
      } else {
        try rig.player.pause(at: frame)
      }
      try rig.render(to: rig.output[0].count + 256)
    }
    // Only the first start of a sound is a step; two fades may overlap.
    let steps = zip(rig.output[0], rig.output[0].dropFirst()).map { abs($1 - $0) }
    #expect(steps.filter { $0 > 4 * 0.5 / 480 }.count <= 20)
    #expect(rig.output[0].allSatisfy { $0 <= 1.01 })
  }

  @Test func aClipIsHeardAfterThePresentationLatency() async throws {
    let rig = try PlayerRig()
    rig.player.contextPresentationLatency = 0.01
    try rig.schedule(256, name: "sound", reporting: [.rendered, .consumed, .heard])
    try rig.player.play()
    try rig.render(to: 512)
    var reports = await rig.reports.wait(for: 2)
    #expect(reports.map(\.report.stage) == [.rendered, .consumed])
    #expect(reports.map(\.report.frame) == [256, 256])
    try rig.render(to: 1024)
    reports = await rig.reports.wait(for: 3)
    #expect(reports.map(\.report.stage) == [.rendered, .consumed, .heard])
    #expect(reports.last?.report.frame == 736)
  }

  @Test func aReleasedPlayerReportsItsUnplayedClips() async throws {
    let reports = Reports()
    do {
      let rig = try PlayerRig()
      try rig.player.schedule(
        AudioClip([[1, 2]], sampleRate: 48_000), reporting: [.heard], reports.handler("never"))
    }
    let told = await reports.wait(for: 1)
    #expect(
      told.map(\.report) == [PlaybackReport(stage: .heard, frame: nil, passes: 0, isWhole: false)])
  }

  /// The same events give the same output, however its frames are divided.
  @Test(arguments: Periods.all)
  func aStormOfEventsDoesNotDependOnThePeriod(periods: Periods) throws {
    func play(_ periods: Periods) throws -> [Float] {
      let rig = try PlayerRig(fade: 3)
      var random = SeededRandom(seed: 5)
      for number in 0..<200 {
        let options: [ScheduleOptions] = [
          [], [.loops], [.interrupts], [.interruptsAtLoop], [.loops, .interruptsAtLoop],
        ]
        let option = options.randomElement(using: &random)!
        let isTimed = option.contains(.interrupts) || Bool.random(using: &random)
        try rig.schedule(
          Int.random(in: 1...400, using: &random), seed: UInt64(number),
          at: isTimed ? number * 150 + Int.random(in: 0..<400, using: &random) : nil, option)
      }
      for _ in 0..<100 {
        let frame = EventTime.frame(Int64.random(in: 0..<30_000, using: &random))
        if Bool.random(using: &random) {
          try rig.player.pause(at: frame)
        } else {
          try rig.player.play(at: frame)
        }
      }
      try rig.player.play()
      try rig.render(to: 40_000, periods: periods)
      return rig.output[0]
    }
    let expected = try play(.fixed(512))
    #expect(expected.contains { $0 != 0 })
    #expect(firstBitDifference(try play(periods), expected) == nil)
  }

  @Test func atAnotherSampleRateItGoesOn() throws {
    let player = try ScheduledPlayerUnit(channels: 1)
    let ramp = (0..<48_000).map { Float($0) / 48_000 }
    try player.schedule(AudioClip([ramp], sampleRate: 48_000))
    try player.parameterTree.parameter(keyPath: "fade")!.setValue(0)
    try player.allocate(channels: 1, sampleRate: 48_000)
    try player.play()
    do {
      let host = try DirectHost(player)
      #expect(try host.render(512)[0][0] == Array(ramp[..<512]))
      for _ in 0..<46 { _ = try host.render(512) }
    }
    try player.deallocateRenderResources()
    try player.allocate(channels: 1, sampleRate: 44_100)
    let host = try DirectHost(player)
    let place = 47 * 512
    let output = try host.render(512)[0][0]
    let time = Int((Double(place) * 44_100 / 48_000).rounded()) + 512
    #expect(player.playerTime == PlayerTime(sampleTime: time, sampleRate: 44_100))
    for (frame, sample) in output.enumerated() {
      let seconds = Double(place) / 48_000 + Double(frame) / 44_100
      #expect(abs(Double(sample) - seconds) < 2.0 / 44_100)
    }
  }

  /// Requests made right before a server dies: no cycle has taken them.
  @Test func requestsThatNoCycleTookApplyInTheNextHost() throws {
    let player = try ScheduledPlayerUnit(channels: 1)
    try player.parameterTree.parameter(keyPath: "fade")!.setValue(0)
    try player.allocate(channels: 1, sampleRate: 48_000)
    func schedule(seed: UInt64) throws -> [Float] {
      let noise = Signal.noise(frames: 300, seed: seed)
      try player.schedule(AudioClip([noise], sampleRate: 48_000))
      return noise
    }
    func nextHost() throws -> [Float] {
      try player.deallocateRenderResources()
      try player.allocate(channels: 1, sampleRate: 48_000)
      return try DirectHost(player).render(512)[0][0]
    }
    let first = try schedule(seed: 1)
    try player.play()
    #expect(try nextHost() == first + silence(212))
    _ = try schedule(seed: 2)
    try player.stop()
    let third = try schedule(seed: 3)
    try player.play()
    #expect(try nextHost() == third + silence(212))
    try player.stop()
    #expect(try nextHost() == silence(512))
    let fourth = try schedule(seed: 4)
    try player.play()
    try player.pause()
    #expect(try nextHost() == silence(512))
    try player.play()
    #expect(try nextHost() == fourth + silence(212))
  }

  @Test func aStopHoldsWithoutResources() throws {
    let player = try ScheduledPlayerUnit(channels: 1)
    try player.parameterTree.parameter(keyPath: "fade")!.setValue(0)
    let sounds = (1...3).map { Signal.noise(frames: 300, seed: UInt64($0)) }
    func schedule(_ number: Int) throws {
      try player.schedule(AudioClip([sounds[number]], sampleRate: 48_000))
    }
    try schedule(0)
    try player.play()
    try player.stop()
    #expect(!player.isPlaying)
    try schedule(1)
    #expect(throws: ScheduleError.notAllocated) { try player.stop(at: .frame(10)) }
    try player.allocate(channels: 1, sampleRate: 48_000)
    let first = try DirectHost(player)
    #expect(try first.render(512)[0][0] == silence(512))
    try player.play()
    #expect(try first.render(512)[0][0] == sounds[1] + silence(212))
  }

  @Test func aStoppedPlayerKeepsWhatIsScheduledInTheNextHost() throws {
    let player = try ScheduledPlayerUnit(channels: 1)
    try player.parameterTree.parameter(keyPath: "fade")!.setValue(0)
    try player.allocate(channels: 1, sampleRate: 48_000)
    let noise = Signal.noise(frames: 300, seed: 1)
    try player.schedule(AudioClip([noise], sampleRate: 48_000))
    do {
      let host = try DirectHost(player)
      #expect(try host.render(512)[0][0] == silence(512))
    }
    try player.deallocateRenderResources()
    try player.allocate(channels: 1, sampleRate: 48_000)
    let host = try DirectHost(player)
    #expect(try host.render(256)[0][0] == silence(256))
    try player.play()
    #expect(try host.render(512)[0][0] == noise + silence(212))
  }

  /// A stop that another thread makes while resources are being allocated.
  @Test func aStopDuringAnAllocationHolds() throws {
    let player = try ScheduledPlayerUnit(channels: 1)
    try player.parameterTree.parameter(keyPath: "fade")!.setValue(0)
    try player.schedule(AudioClip([Signal.noise(frames: 300, seed: 1)], sampleRate: 48_000))
    try player.play()
    try player.allocate(channels: 1, sampleRate: 48_000)
    // The player was prepared before the stop, which found no resources.
    player.schedule.withLock { $0.epoch += 1 }
    player.line.heldStop = 1
    let noise = Signal.noise(frames: 300, seed: 2)
    try player.schedule(AudioClip([noise], sampleRate: 48_000))
    let host = try DirectHost(player)
    #expect(try host.render(512)[0][0] == silence(512))
    try player.play()
    #expect(try host.render(512)[0][0] == noise + silence(212))
  }

  @Test func theContentIsPlayedAtEveryStart() throws {
    let player = try ScheduledPlayerUnit(channels: 1)
    let noise = Signal.noise(frames: 300, seed: 1)
    try player.setContent(AudioClip([noise], sampleRate: 48_000))
    try player.parameterTree.parameter(keyPath: "fade")!.setValue(0)
    try player.allocate(channels: 1, sampleRate: 48_000)
    #expect(throws: PlaybackError.isPlaying) { try player.setContent(nil) }
    let host = try DirectHost(player)
    let state = try #require(player.parameterTree.parameter(keyPath: "state"))
    try state.setValue(1)
    #expect(try host.render(512)[0][0] == noise + silence(212))
    #expect(state.value == 0)
    try state.setValue(1)
    #expect(try host.render(200)[0][0] == Array(noise[..<200]))
    try state.setValue(0)
    #expect(try host.render(16)[0][0] == silence(16))
    try player.parameterTree.parameter(keyPath: "loop")!.setValue(1)
    try state.setValue(1)
    #expect(try host.render(900)[0][0] == noise + noise + noise)
    try player.parameterTree.parameter(keyPath: "loop")!.setValue(0)
    #expect(try host.render(900)[0][0] == noise + silence(600))
    #expect(state.value == 0)
  }

  @Test(arguments: Periods.all)
  func theContentIsWhereTheTransportIs(periods: Periods) throws {
    let player = try ScheduledPlayerUnit(channels: 1)
    let noise = Signal.noise(frames: 5000, seed: 1)
    try player.setContent(AudioClip([noise], sampleRate: 48_000))
    try player.parameterTree.parameter(keyPath: "fade")!.setValue(0)
    try player.parameterTree.parameter(keyPath: "transport")!.setValue(1)
    try player.allocate(channels: 1, sampleRate: 48_000)
    let host = try DirectHost(player)
    func roll(from position: Int, _ frames: Int) throws -> [Float] {
      var output: [Float] = []
      for length in periods.lengths(frames: frames) {
        host.musicalContext.valid = UInt32(kTransportPosition)
        host.musicalContext.transportFlags = UInt32(kTransportMoving)
        host.musicalContext.samplePosition = Double(position + output.count)
        output += try host.render(length)[0][0]
      }
      return output
    }
    func stand(_ frames: Int) throws -> [Float] {
      host.musicalContext.transportFlags = 0
      return try host.render(frames)[0][0]
    }
    #expect(try stand(100) == silence(100))
    #expect(try roll(from: 0, 1500) == Array(noise[..<1500]))
    #expect(try stand(100) == silence(100))
    #expect(try roll(from: 1500, 500) == Array(noise[1500..<2000]))
    #expect(try roll(from: 300, 500) == Array(noise[300..<800]))
    #expect(try roll(from: 4900, 300) == noise[4900...] + silence(200))
    #expect(try roll(from: 4000, 300) == Array(noise[4000..<4300]))
    try player.parameterTree.parameter(keyPath: "loop")!.setValue(1)
    #expect(try roll(from: 9990, 300) == Array(noise[4990...]) + noise[..<290])
  }
}

// The environment's promises about frames, silence, faults and state.

import EnvironmentUnit
import Foundation
import Realtime
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitRender
import UnitTestSupport

@Suite struct EnvironmentTests {
  private let counts = [1, 1, 2, 1, 1, 1]
  private static let algorithms: [String: Float] = [
    "inputs.1.algorithm": 0, "inputs.2.algorithm": 1, "inputs.4.algorithm": 2,
    "inputs.5.algorithm": 3, "inputs.6.algorithm": 2, "reverb.on": 1,
  ]

  /// Returns noise for each input, with stretches of silence.
  private func signals(_ frames: Int, seed: UInt64 = 1) -> DirectHost.Busses {
    counts.enumerated().map { bus, count in
      (0..<count).map { channel in
        var noise = Signal.noise(
          frames: frames, seed: seed + UInt64(10 * bus + channel), amplitude: 0.2)
        let start = bus * frames / 8
        for frame in start..<min(frames, start + frames / 4) { noise[frame] = 0 }
        return noise
      }
    }
  }

  @Test(arguments: [44_100.0, 48_000, 96_000])
  func theOutputDoesNotDependOnThePeriod(rate: Double) throws {
    let input = signals(9000)
    for seed: UInt64 in 10..<(rate == 48_000 ? 14 : 11) {
      var expected: [[Float]] = []
      for periods in [
        Periods.fixed(2048), .fixed(16), .fixed(13), .random(upTo: 300, seed: seed), .fixed(1),
      ] {
        let unit = try environment(counts, sampleRate: rate, Self.algorithms)
        try unit.schedule(ParameterMove.random(250, of: unit, frames: 9000, seed: seed))
        let output = try DirectHost(unit).run(busses: input, periods: periods)
        #expect(unit.switches.value(of: .lateEvents) == 0)
        #expect(unit.switches.value(of: .nonFiniteCycles) == 0)
        if expected.isEmpty { expected = output }
        for channel in 0..<2 {
          #expect(
            firstBitDifference(output[channel], expected[channel]) == nil,
            "\(periods), seed \(seed), channel \(channel)")
        }
      }
    }
  }

  @Test func aSourceIsNotChangedByTheOthers() throws {
    // Source 1 moves along a ramp, source 2 is silent and is changed all the time.
    let noise = Signal.noise(frames: 8000, seed: 3)
    let silence = Signal.silence(frames: 8000)
    for algorithm in Algorithm.all {
      var outputs: [[[Float]]] = []
      for isBusy in [false, true] {
        let unit = try environment([1, 1], at(-2, 0, -1, algorithm))
        var moves = try [
          unit.move("inputs.1.x", to: 2, at: 500, over: 5000),
          unit.move("listener.yaw", to: 40, at: 1000, over: 3000),
        ]
        if isBusy {
          moves += ParameterMove.random(300, of: unit, frames: 8000, seed: 1).filter {
            $0.address >= (try! unit.address("inputs.2.x"))
          }
        }
        try unit.schedule(moves)
        outputs.append(try DirectHost(unit).run(busses: [[noise], [silence]]))
      }
      for channel in 0..<2 {
        #expect(
          firstBitDifference(outputs[0][channel], outputs[1][channel]) == nil, "\(algorithm)")
      }
    }
  }

  private static let changes: [(String, Float)] = [
    ("volume", 0), ("inputs.1.volume", 0), ("inputs.1.x", -3), ("inputs.1.z", 40),
    ("inputs.1.obstruction", -100), ("inputs.1.occlusion", -60), ("inputs.1.reverbBlend", 1),
    ("inputs.1.algorithm", 0), ("inputs.1.algorithm", 1), ("inputs.1.algorithm", 2),
    ("inputs.1.algorithm", 3), ("inputs.1.algorithm", 4), ("listener.yaw", 170),
    ("listener.x", 5), ("distance.model", 1), ("distance.reference", 50), ("reverb.on", 0),
    ("reverb.preset", 7), ("reverb.level", -40), ("reverb.filter.bypass", 0),
  ]

  @Test(arguments: Algorithm.all)
  func parameterChangesMakeNoClick(algorithm: Float) throws {
    // A click has high frequencies; a low sine has none, through any algorithm or effect here.
    let sine = Signal.sine(frames: 14_400, frequencyHertz: 100, amplitude: 0.5)
    for (keyPath, value) in Self.changes {
      let unit = try environment(
        at(
          2, 0.5, -1, algorithm,
          [
            "reverb.on": 1, "inputs.1.reverbBlend": 0.3, "reverb.filter.gain": 12,
            "reverb.filter.frequency": 300,
          ]))
      let output = try DirectHost(unit).run(busses: [[sine]], periods: .fixed(64)) { frame in
        if frame == 7040 { try unit.set(keyPath, value) }
      }
      for (side, channel) in output.enumerated() {
        let bends = (2..<channel.count).map { frame -> Float in
          let (first, last): (Float, Float) = (channel[frame - 2], channel[frame])
          return abs(first + last - 2 * channel[frame - 1])
        }
        let before = bends[4000..<7000].max() ?? 0
        let after = bends[7030...].max() ?? 0
        // The sine's own bend is (2π 100/48000)² of its level, 8.6e-5; a step's is its full height.
        #expect(before < 4e-4)
        #expect(after < 3e-3, "\(keyPath) = \(value), side \(side): \(after)")
      }
    }
  }

  @Test func parameterChangesTakeEffectWithin20Milliseconds() throws {
    let sine = Signal.sine(frames: 9600, frequencyHertz: 1000, amplitude: 0.5)
    for algorithm in Algorithm.all {
      for (keyPath, value) in Self.changes.prefix(16) where !keyPath.hasPrefix("reverb") {
        let unit = try environment(at(2, 0.5, -1, algorithm))
        let output = try DirectHost(unit).run(busses: [[sine]], periods: .fixed(64)) { frame in
          if frame == 4800 { try unit.set(keyPath, value) }
        }
        let other = try environment(at(2, 0.5, -1, algorithm), allocates: false)
        try other.set(keyPath, value)
        try other.allocateRenderResources()
        let there = try DirectHost(other).run(busses: [[sine]], periods: .fixed(64))
        for channel in 0..<2 {
          // The low-pass still rings a little.
          let difference =
            zip(output[channel][6300...], there[channel][6300...])
            .map { abs($0 - $1) }.max() ?? 0
          #expect(difference < 1e-6, "\(algorithm), \(keyPath): \(difference)")
        }
      }
    }
  }

  @Test func aStormOfAlgorithmsMakesNoClick() throws {
    let sine = Signal.sine(frames: 24_000, frequencyHertz: 100, amplitude: 0.5)
    let unit = try environment(at(2, 0.5, -1))
    // Some begin before the previous crossfade has ended.
    try unit.schedule(
      (1...50).map { step in
        try unit.move(
          "inputs.1.algorithm", to: Algorithm.all[step * 7 / 3 % 5], at: 2000 + 397 * step)
      })
    for channel in try DirectHost(unit).run(busses: [[sine]]) {
      let bends = (1000..<channel.count).map { frame -> Float in
        let (first, last): (Float, Float) = (channel[frame - 2], channel[frame])
        return abs(first + last - 2 * channel[frame - 1])
      }
      #expect(bends.max()! < 3e-3, "\(bends.max()!)")
    }
  }

  @Test(arguments: [Algorithm.sphericalHead, Algorithm.headResponses])
  func anAlgorithmThatIsSelectedAgainStartsFresh(algorithm: Float) throws {
    var sound = Signal.silence(frames: 8000)
    sound.replaceSubrange(0..<1980, with: Signal.noise(frames: 1980, seed: 4))
    sound.replaceSubrange(7100..<7200, with: Signal.noise(frames: 100, seed: 5))
    let unit = try environment(at(2, 0.5, -1, algorithm))
    try unit.schedule([
      unit.move("inputs.1.algorithm", to: Algorithm.equalPower, at: 1000),
      unit.move("inputs.1.algorithm", to: algorithm, at: 6000),
    ])
    let output = try DirectHost(unit).run(busses: [[sound]])
    sound.replaceSubrange(0..<1980, with: Signal.silence(frames: 1980))
    let fresh = try DirectHost(environment(at(2, 0.5, -1, algorithm))).run(busses: [[sound]])
    for channel in 0..<2 {
      #expect(output[channel][100...900].contains { $0 != 0 })
      #expect(
        firstBitDifference(Array(output[channel][7000...]), Array(fresh[channel][7000...])) == nil)
    }
  }

  @Test func reverbChangesReachBothSides() throws {
    let values: [String: Float] = [
      "reverb.on": 1, "reverb.preset": 0, "inputs.1.reverbBlend": 1, "reverb.filter.bypass": 0,
      "reverb.filter.gain": 12, "reverb.filter.frequency": 800,
    ]
    let plain = try environment(values)
    for (keyPath, value) in [
      ("reverb.preset", 3), ("reverb.level", -12), ("reverb.filter.kind", 1),
      ("reverb.filter.frequency", 4000), ("reverb.filter.gain", -20),
      ("reverb.filter.bandwidth", 3), ("reverb.filter.bypass", 1), ("reverb.on", 0),
    ] as [(String, Float)] {
      let there = try environment(values.merging([keyPath: value]) { $1 })
      // The first noise has rung out before the second begins.
      let tail = Int(max(plain.tailTime, there.tailTime) * 48_000) + 12_000
      let noise = { (seed: UInt64) in Signal.noise(frames: 4800, seed: seed, amplitude: 0.3) }
      let sound = noise(1) + Signal.silence(frames: tail) + noise(2)
      let unit = try environment(values)
      let output = try DirectHost(unit).run(busses: [[sound]], periods: .fixed(64)) { frame in
        if frame == 2432 { try unit.set(keyPath, value) }
      }
      let expected = try DirectHost(there).run(busses: [[sound]], periods: .fixed(64))
      for channel in 0..<2 {
        let end = output[channel].suffix(4800)
        let difference = zip(end, expected[channel].suffix(4800)).map { abs($0 - $1) }.max() ?? 1
        #expect(difference < 1e-4, "\(keyPath), side \(channel): \(difference)")
        #expect(end.contains { $0 != 0 })
      }
    }
  }

  @Test func nothingOfAnEventIsHeardBeforeItsFrame() throws {
    let ones = [Signal.constant(1, frames: 3000)]
    for algorithm in Algorithm.all {
      let still = try environment(at(1, 0, -1, algorithm))
      let expected = try DirectHost(still).run(busses: [ones])
      for (keyPath, value) in Self.changes where !keyPath.hasPrefix("reverb") {
        for (frame, rampFrames) in [(1000, 0), (1063, 500), (1999, 1)] {
          let unit = try environment(at(1, 0, -1, algorithm))
          if rampFrames > 0,
            unit.parameterTree.parameter(keyPath: keyPath)?.flags.contains(.canRamp) == false
          {
            continue
          }
          try unit.schedule([unit.move(keyPath, to: value, at: frame, over: rampFrames)])
          let output = try DirectHost(unit).run(busses: [ones])
          let change = firstBitDifference(output[1], expected[1])
          #expect(change.map { $0 >= frame } ?? true, "\(keyPath) at \(frame): \(change ?? 0)")
          if keyPath == "inputs.1.volume" && algorithm == 0 { #expect(change == frame) }
        }
      }
    }
  }

  @Test func silenceStaysSilentToTheBitDuringChanges() throws {
    let unit = try environment(counts, Self.algorithms)
    try unit.schedule(ParameterMove.random(100, of: unit, frames: 4000, seed: 2))
    let silence = counts.map { (0..<$0).map { _ in Signal.silence(frames: 4000) } }
    let output = try DirectHost(unit).run(busses: silence)
    #expect(output.allSatisfy { $0.allSatisfy { $0.bitPattern == 0 } })
  }

  @Test(arguments: Algorithm.all)
  func afterTheTailItIsSilentToTheBit(algorithm: Float) throws {
    for more in [
      [:], ["inputs.1.occlusion": -40], ["inputs.1.obstruction": -80],
      ["reverb.on": 1, "reverb.preset": 0, "inputs.1.reverbBlend": 0.5],
    ] as [[String: Float]] {
      let unit = try environment(at(2, 0.5, -1, algorithm, more))
      let tail = Int(unit.tailTime * 48_000)
      let noise = Signal.noise(frames: 2000, seed: 1) + Signal.silence(frames: 4 * tail + 48_000)
      let output = try DirectHost(unit).run(busses: [[noise]])
      for channel in output {
        // Below 3e-5 after the tail, and exactly 0 some time later.
        #expect(
          channel[(2000 + tail)...].allSatisfy { abs($0) < 3e-5 }, "\(algorithm) \(more) \(tail)")
        #expect(channel.suffix(100).allSatisfy { $0.bitPattern == 0 })
      }
    }
  }

  @Test func anImpulseIsHeardOnItsFrame() throws {
    for algorithm in [Algorithm.equalPower, Algorithm.soundField, Algorithm.passThrough] {
      let response = try impulseResponse(at(1, 0, -1, algorithm))
      #expect(response[1].firstIndex { $0 != 0 } == 0)
      #expect(response[1].filter { $0 != 0 }.count == 1)
    }
    #expect(try environment().latency == 0)
  }

  @Test func inputsComeAndGoEachWithItsChannels() throws {
    let unit = try environment([1], at(-1, 0, 0))
    let noise = Signal.noise(frames: 512, seed: 1)
    var output = try DirectHost(unit).run(busses: [[noise]])
    #expect(firstBitDifference(output[0], noise) == nil)
    try unit.inputBusses.setBusCount(0)
    output = [try DirectHost(unit, frame: 512).render(256)[0][0]]
    #expect(output[0].allSatisfy { $0.bitPattern == 0 })
    try unit.inputBusses.setBusCount(1)
    try unit.inputBusses[0].setFormat(AudioFormat(sampleRate: 48_000, channelCount: 2))
    output = try DirectHost(unit, frame: 768).run(busses: [[noise, noise]])
    #expect(firstBitDifference(output[1], noise) == nil)
  }

  @Test func bypassedItAddsItsInputsAsTheyAreAndComesAndGoesWithoutAClick() throws {
    let sine = Signal.sine(frames: 25_600, frequencyHertz: 100, amplitude: 0.25)
    func run(_ period: Int) throws -> [[Float]] {
      let unit = try environment(
        [1, 2],
        at(
          3, 0, 1, 2,
          ["volume": 0.5, "inputs.2.volume": 0.1, "reverb.on": 1, "inputs.1.reverbBlend": 0.5]))
      return try DirectHost(unit).run(busses: [[sine], [sine, sine]], periods: .fixed(period)) {
        if $0 == 6400 { unit.shouldBypassEffect = true }
        if $0 == 19_200 { unit.shouldBypassEffect = false }
      }
    }
    let output = try run(256)
    let plain = try DirectHost(environment([1, 2], at(0, 0, 0, 4)))
      .run(busses: [[sine], [sine, sine]])
    for channel in 0..<2 {
      let difference =
        zip(output[channel][8400..<19_200], plain[channel][8400..<19_200])
        .map { abs($0 - $1) }.max() ?? 0
      #expect(difference < 1e-6)
      #expect(largestStep(output[channel]) < 3 * largestStep(sine) + 3.0 / 960)
      #expect(firstBitDifference(try run(64)[channel], output[channel]) == nil)
    }
  }

  @Test func whileRampingTheValueReadIsTheSoundingOne() throws {
    let unit = try environment([1])
    let host = try DirectHost(unit)
    for keyPath in [
      "volume", "listener.yaw", "distance.rollOff", "reverb.level", "reverb.filter.gain",
      "inputs.1.x", "inputs.1.reverbBlend", "inputs.1.occlusion",
    ] {
      let parameter = try #require(unit.parameterTree.parameter(keyPath: keyPath))
      let (low, high) = (parameter.range.lowerBound, parameter.range.upperBound)
      try parameter.setValue(low)
      _ = try host.render(1000)
      #expect(parameter.value == low)
      try unit.scheduleParameter(
        parameter.address, value: high, at: .frame(host.frame), rampFrames: 1000)
      for (frames, part) in [(250, Float(0.25)), (500, 0.75), (500, 1), (100, 1)] {
        _ = try host.render(frames)
        #expect(
          abs(parameter.value - (low + (high - low) * part)) <= 1e-5 * (high - low), "\(keyPath)")
      }
    }
  }

  @Test func valuesOutOfRangeAreHeldAtItsEnds() throws {
    for value in [Float.infinity, 1e9, -1e9, .nan, -.infinity] {
      let unit = try environment([1])
      let hosting = try unit.makeHosting()
      var (input, left, right) = ([Float(1)], [Float(0)], [Float(0)])
      hosting.hosted.beginCycle(at: 0, frameCount: 1)
      let addresses = unit.parameterTree.allParameters.map(\.address) + [9999, UInt64.max]
      for address in addresses {
        #expect(
          hosting.hosted.events.insert(
            RenderEvent.parameter(address: address, value: value, rampFrames: 0, at: 0)))
      }
      input.withUnsafeMutableBufferPointer { input in
        left.withUnsafeMutableBufferPointer { left in
          right.withUnsafeMutableBufferPointer { right in
            hosting.hosted.call.input(0)[0] = input.baseAddress
            hosting.hosted.call.output(0)[0] = left.baseAddress
            hosting.hosted.call.output(0)[1] = right.baseAddress
            #expect(hosting.hosted.render(at: 0, frameCount: 1) == RenderStatus.ok)
          }
        }
      }
      hosting.hosted.endCycle()
      #expect(left[0].isFinite && right[0].isFinite)
      for parameter in unit.parameterTree.allParameters {
        let end = value > 0 ? parameter.range.upperBound : parameter.range.lowerBound
        #expect(parameter.value == end, "\(parameter.keyPath)")
      }
    }
  }

  @Test func aSourceThatIsNotFiniteLeavesTheOthersAsTheyAre() throws {
    let noise = Signal.noise(frames: 2048, seed: 4)
    var bad = Signal.silence(frames: 2048)
    for algorithm in Algorithm.all {
      for value in [Float.nan, .infinity, -.infinity] {
        let values = [
          "inputs.1.algorithm": algorithm, "inputs.2.algorithm": algorithm, "reverb.on": 1,
          "inputs.2.reverbBlend": 0.5,
        ]
        bad[100] = value
        let unit = try environment([1, 1], values)
        let output = try DirectHost(unit).run(busses: [[noise], [bad]])
        #expect(output.allSatisfy { $0.allSatisfy(\.isFinite) })
        #expect(unit.switches.value(of: .nonFiniteCycles) == 0)
        guard value.isNaN else { continue }
        let fresh = try DirectHost(environment([1, 1], values))
          .run(busses: [[noise], [Signal.silence(frames: 2048)]])
        for channel in 0..<2 {
          #expect(firstBitDifference(output[channel], fresh[channel]) == nil)
        }
      }
    }
  }

  @Test func aResetEndsAllSound() throws {
    let unit = try environment(counts, Self.algorithms)
    let host = try DirectHost(unit)
    _ = try host.run(busses: signals(4000))
    unit.reset()
    let silence = counts.map { (0..<$0).map { _ in Signal.silence(frames: 2000) } }
    #expect(try host.run(busses: silence).allSatisfy { $0.allSatisfy { $0.bitPattern == 0 } })
  }

  @Test func aDocumentBringsBackTheSameSoundToTheBit() throws {
    let input = signals(2000)
    for seed: UInt64 in 1..<4 {
      let first = try environment(counts, allocates: false)
      var random = SeededRandom(seed: seed)
      for parameter in first.parameterTree.allParameters {
        try parameter.setValue(parameter.randomValue(using: &random))
      }
      let second = try environment(counts, allocates: false)
      try second.setFullStateForDocument(first.fullStateForDocument)
      #expect(second.allParameterValues == first.allParameterValues)
      let outputs = try [first, second].map {
        try $0.allocateRenderResources()
        return try DirectHost($0).run(busses: input)
      }
      for channel in 0..<2 {
        #expect(firstBitDifference(outputs[0][channel], outputs[1][channel]) == nil)
      }
    }
  }

  @Test func everyFactoryPresetIsASpace() throws {
    let unit = try environment()
    #expect(unit.factoryPresets.map(\.name) == ["Open Air", "Room", "Hall", "Cathedral"])
    for preset in unit.factoryPresets {
      try unit.setCurrentPreset(preset)
      for (keyPath, value) in unit.factoryPresetValues(of: preset) {
        #expect(unit.parameterTree.parameter(keyPath: keyPath)?.value == value)
      }
    }
  }
}

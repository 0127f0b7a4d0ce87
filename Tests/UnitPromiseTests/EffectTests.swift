// What every effect promises of frames, channels, silence, faults and state.

import Realtime
import TestSupport
import Testing
import UnitModel
import UnitRender
import UnitTestSupport

@Suite struct EffectTests {
  /// Noise, silence, and noise again.
  static func signal(frames: Int, seed: UInt64) -> [Float] {
    Signal.noise(frames: frames / 2, seed: seed) + Signal.silence(frames: frames / 4)
      + Signal.noise(frames: frames - frames / 2 - frames / 4, seed: seed + 1)
  }

  @Test(arguments: EffectKind.all)
  func theOutputDoesNotDependOnThePeriod(kind: EffectKind) throws {
    let input = Self.signal(frames: 9000, seed: 1)
    for seed: UInt64 in 10..<13 {
      var expected: [Float] = []
      for periods in [Periods.fixed(1024), .fixed(1), .fixed(13), .random(upTo: 300, seed: seed)] {
        let unit = try kind.allocated()
        try unit.schedule(ParameterMove.random(50, of: unit, frames: 9000, seed: seed))
        let output = try DirectHost(unit).run([input], periods: periods)[0]
        #expect(unit.switches.value(of: .lateEvents) == 0)
        if expected.isEmpty { expected = output }
        #expect(firstBitDifference(output, expected) == nil, "\(periods), seed \(seed)")
      }
    }
  }

  @Test(arguments: EffectKind.all)
  func nothingOfAnEventIsHeardBeforeItsFrame(kind: EffectKind) throws {
    let input = Signal.noise(frames: 3000, seed: 2)
    let unchanged = try DirectHost(kind.allocated()).run([input])[0]
    for parameter in try kind.make().setParameters {
      for (frame, rampFrames) in [(0, 0), (1000, 0), (1063, 500), (1999, 1)] {
        let ramps = parameter.flags.contains(.canRamp)
        let unit = try kind.allocated()
        let far = parameter.defaultValue == parameter.maxValue
        try unit.schedule([
          ParameterMove(
            frame: frame, address: parameter.address,
            value: far ? parameter.minValue : parameter.maxValue,
            rampFrames: ramps ? rampFrames : 0)
        ])
        let output = try DirectHost(unit).run([input])[0]
        let first = firstBitDifference(output, unchanged) ?? .max
        #expect(first >= frame, "\(parameter.keyPath) at \(frame)")
      }
    }
  }

  @Test(arguments: EffectKind.all.filter { !$0.isLinked })
  func everyChannelIsMadeAsIfItWereAlone(kind: EffectKind) throws {
    let input = (0..<5).map { Self.signal(frames: 4000, seed: UInt64($0)) }
    let unit = try kind.allocated(channels: 5)
    let moves = ParameterMove.random(30, of: unit, frames: 4000, seed: 3)
    try unit.schedule(moves)
    let output = try DirectHost(unit).run(input, periods: .fixed(100))
    for channel in 0..<5 {
      let alone = try kind.allocated()
      try alone.schedule(moves)
      let expected = try DirectHost(alone).run([input[channel]])[0]
      #expect(firstBitDifference(output[channel], expected) == nil, "channel \(channel)")
    }
  }

  @Test(arguments: EffectKind.all)
  func inputAndOutputMayBeTheSameMemory(kind: EffectKind) throws {
    let input = Signal.noise(frames: 1000, seed: 4)
    let unit = try kind.allocated()
    let hosting = try unit.makeHosting()
    var output = input
    #expect(hosting.renderInPlace(&output) == RenderStatus.ok)
    let expected = try DirectHost(kind.allocated()).run([input], periods: .fixed(1000))[0]
    #expect(firstBitDifference(output, expected) == nil)
  }

  @Test(arguments: EffectKind.all)
  func whatIsNotFiniteIsSilencedCountedAndForgotten(kind: EffectKind) throws {
    for fault in [Float.nan, .infinity, -.infinity] {
      let unit = try kind.allocated(channels: 2)
      let host = try DirectHost(unit)
      let clean = Signal.noise(frames: 2048, seed: 5)
      _ = try host.run([clean, clean])
      var bad = Signal.silence(frames: 256)
      bad[100] = fault
      var output = try host.run([bad, bad])
      // What is delayed comes later.
      for _ in 0..<400 where unit.switches.value(of: .nonFiniteCycles) == 0 {
        output += try host.run([Signal.silence(frames: 256), Signal.silence(frames: 256)])
      }
      #expect(unit.switches.value(of: .nonFiniteCycles) == 1)
      #expect(output.allSatisfy { $0.allSatisfy(\.isFinite) })
      let fresh = try DirectHost(kind.allocated(channels: 2)).run([clean, clean])
      let after = try host.run([clean, clean])
      for channel in 0..<2 {
        #expect(firstBitDifference(after[channel], fresh[channel]) == nil)
      }
    }
  }

  @Test(arguments: EffectKind.all)
  func aResetForgetsWhatSounds(kind: EffectKind) throws {
    let unit = try kind.allocated()
    let host = try DirectHost(unit)
    _ = try host.run([Signal.noise(frames: 5000, seed: 6)])
    unit.reset()
    let input = Signal.noise(frames: 5000, seed: 7)
    let output = try host.run([input])[0]
    let fresh = try DirectHost(kind.allocated()).run([input])[0]
    #expect(firstBitDifference(output, fresh) == nil)
  }

  @Test(arguments: EffectKind.all)
  func afterItsTailItIsSilentToTheBit(kind: EffectKind) throws {
    let unit = try kind.allocated()
    let host = try DirectHost(unit)
    _ = try host.run([Signal.noise(frames: 2000, seed: 8)])
    let tail = try #require(Int(exactly: (2 * unit.tailTime * 48_000).rounded(.up)))
    _ = try host.run([Signal.silence(frames: tail + 4800)], periods: .fixed(1024))
    let rest = try host.run([Signal.silence(frames: 2000)])[0]
    #expect(rest.allSatisfy { $0.bitPattern == 0 })
  }

  @Test(arguments: EffectKind.all)
  func theTailIsAsLongAsItSays(kind: EffectKind) throws {
    for seed: UInt64 in 20..<30 {
      let unit = try kind.make()
      var random = SeededRandom(seed: seed)
      for parameter in unit.setParameters {
        try parameter.setValue(parameter.randomValue(using: &random))
      }
      guard unit.tailTime < 3 else { continue }
      try unit.allocate(channels: 1)
      let host = try DirectHost(unit)
      let loud = try host.run([Signal.noise(frames: 24_000, seed: seed)])[0]
      let tail = Int((unit.tailTime * 48_000).rounded(.up))
      _ = try host.run([Signal.silence(frames: tail + 48)], periods: .fixed(1024))
      let rest = try host.run([Signal.silence(frames: 1000)])[0]
      // 100 dB, and what noise may stand above its mean.
      #expect(peakDecibels(rest) < max(peakDecibels(loud), 0) - 94, "\(unit.allParameterValues)")
    }
  }

  @Test(arguments: EffectKind.all)
  func valuesOutOfRangeAreHeldAtItsEnds(kind: EffectKind) throws {
    let input = Signal.noise(frames: 1000, seed: 9)
    for (value, isHigh) in [(Float.infinity, true), (1e9, true), (-1e9, false), (.nan, false)] {
      let (raw, held) = (try kind.allocated(), try kind.allocated())
      let count = held.parameterTree.allParameters.count
      for parameter in held.setParameters {
        try held.schedule([
          ParameterMove(
            frame: 10, address: parameter.address,
            value: isHigh ? parameter.maxValue : parameter.minValue)
        ])
      }
      let expected = try DirectHost(held).run([input], periods: .fixed(1000))[0]
      // As a list brings it that the control side has not checked; one address is nobody's.
      var output = input
      let status = try raw.makeHosting().renderInPlace(&output) { hosted in
        for address in 0...count {
          let event = RenderEvent.parameter(
            address: UInt64(address), value: value, rampFrames: 0, at: 10)
          #expect(hosted.events.insert(event))
        }
      }
      #expect(status == RenderStatus.ok)
      #expect(firstBitDifference(output, expected) == nil, "\(value)")
      #expect(raw.allParameterValues == held.allParameterValues)
    }
  }

  @Test(arguments: EffectKind.all)
  func whileRampingTheValueReadIsTheSoundingOne(kind: EffectKind) throws {
    for index in try kind.make().parameterTree.allParameters.indices {
      let unit = try kind.allocated()
      let host = try DirectHost(unit)
      let parameter = unit.parameterTree.allParameters[index]
      guard parameter.flags.contains(.canRamp) else { continue }
      try parameter.setValue(parameter.minValue)
      _ = try host.render(1000)
      _ = try host.render(1000)
      try unit.schedule([
        ParameterMove(
          frame: 2100, address: parameter.address, value: parameter.maxValue, rampFrames: 1000)
      ])
      let (low, high) = (parameter.minValue, parameter.maxValue)
      for (frames, part) in [(100, 0), (250, 0.25), (500, 0.75), (500, 1), (100, 1)] {
        _ = try host.render(frames)
        let expected = low + (high - low) * Float(part)
        #expect(abs(parameter.value - expected) <= abs(high - low) * 1e-6, "\(parameter.keyPath)")
      }
    }
  }
}

// The signal that controls the gain, and the `look-ahead` key of configurations.

import Configuration
import Effects
import Foundation
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitTestSupport

@Suite struct SideChainTests {
  struct Kind: CustomTestStringConvertible, Sendable {
    let name: String
    let make: @Sendable (Double) throws -> DynamicsProcessor
    var testDescription: String { name }

    static let all = [
      Kind(name: "compressor") { try CompressorUnit(lookAhead: $0) },
      Kind(name: "limiter") { try LimiterUnit(lookAhead: $0) },
      Kind(name: "gate") { try GateUnit(lookAhead: $0) },
    ]
  }

  /// Noise, loud and quiet in turns.
  static func pulses(frames: Int, seed: UInt64) -> [Float] {
    Signal.noise(frames: frames, seed: seed).enumerated().map {
      $1 * ($0 / 900 & 1 == 0 ? 1 : 0.001)
    }
  }

  /// The gains applied to a signal of −40 dB.
  private func gains(_ unit: DynamicsProcessor, key: [Float]) throws -> [Float] {
    let input = Signal.constant(0.01, frames: key.count)
    return try DirectHost(unit).run([input], key: [key])[0].map { $0 / 0.01 }
  }

  @Test(arguments: Kind.all) func theSideChainDecidesWhereItIsOn(kind: Kind) throws {
    let key = Self.pulses(frames: 20_000, seed: 1)
    let keyed = try gains(prepared(kind.make(0), ["sideChain": 1]), key: key)
    // The key itself, controlled by its own level, gets the same gains.
    let own = try DirectHost(prepared(kind.make(0))).run([key])[0]
    for frame in key.indices where abs(key[frame]) > 1e-4 {
      #expect(abs(own[frame] / key[frame] - keyed[frame]) < 1e-4, "frame \(frame)")
    }
    #expect(keyed.max()! > 1.05 * keyed.min()!)
  }

  @Test(arguments: Kind.all) func theSideChainIsNotHeardWhereItIsOff(kind: Kind) throws {
    let input = Self.pulses(frames: 8000, seed: 2)
    let key = Self.pulses(frames: 8000, seed: 3)
    let output = try DirectHost(prepared(kind.make(1))).run([input], key: [key])[0]
    let alone = try DirectHost(prepared(kind.make(1))).run([input])[0]
    #expect(firstBitDifference(output, alone) == nil)
  }

  @Test(arguments: Kind.all) func theOutputDoesNotDependOnThePeriod(kind: Kind) throws {
    let silence = Signal.silence(frames: 3000)
    let input = Self.pulses(frames: 4000, seed: 4) + silence + Self.pulses(frames: 4000, seed: 5)
    let key = silence + Self.pulses(frames: 5000, seed: 6) + silence
    for (seed, lookAhead) in [(30, 0.0), (31, 1), (32, 5)] as [(UInt64, Double)] {
      var expected: [[Float]] = []
      for periods in [Periods.fixed(1024), .fixed(1), .fixed(13), .random(upTo: 300, seed: seed)] {
        let unit = try prepared(kind.make(lookAhead), channels: 2)
        try unit.schedule(ParameterMove.random(60, of: unit, frames: 11_000, seed: seed))
        let output = try DirectHost(unit).run(
          [input, Array(input.reversed())], key: [key, silence + key.dropLast(3000)],
          periods: periods)
        if expected.isEmpty { expected = output }
        for channel in 0..<2 {
          #expect(firstBitDifference(output[channel], expected[channel]) == nil, "\(periods)")
        }
      }
    }
  }

  @Test(arguments: Kind.all) func allChannelsGetTheGainOfTheLoudest(kind: Kind) throws {
    let loud = Self.pulses(frames: 8000, seed: 7)
    let quiet = loud.map { $0 * 0.25 }
    let output = try DirectHost(prepared(kind.make(2), channels: 3)).run([quiet, loud, quiet])
    let alone = try DirectHost(prepared(kind.make(2))).run([loud])[0]
    #expect(firstBitDifference(output[1], alone) == nil)
    #expect(firstBitDifference(output[0], alone.map { $0 * 0.25 }) == nil)
    #expect(firstBitDifference(output[2], output[0]) == nil)
  }

  /// The side-chain may have another channel count than the sound.
  @Test func aSideChainOfOneChannelIsEnough() throws {
    let unit = try CompressorUnit()
    let format = { try AudioFormat(sampleRate: 48_000, channelCount: $0) }
    try unit.inputBusses[0].setFormat(format(2))
    try unit.inputBusses[1].setFormat(format(1))
    try unit.outputBusses[0].setFormat(format(2))
    try #require(unit.parameterTree.parameter(keyPath: "sideChain")).setValue(1)
    try unit.setMaximumFramesToRender(1024)
    try unit.allocateRenderResources()
    let input = Signal.constant(0.5, frames: 9600)
    let output = try DirectHost(unit).run(
      [input, input], key: [Signal.constant(1, frames: 9600)])
    #expect(abs(decibels(Double(output[1].last! / 0.5)) + 15) < 0.01)
  }

  /// A faulty signal of another program must not mute a sound for good.
  @Test(arguments: Kind.all) func aSideChainOfNoNumbersIsGotOver(kind: Kind) throws {
    for fault in [Float.nan, .infinity, -.infinity, 1e30] {
      let unit = try prepared(kind.make(1), ["sideChain": 1, "release": 20])
      let host = try DirectHost(unit)
      var key = Signal.constant(0.5, frames: 24_000)
      key[100] = fault
      let input = Signal.noise(frames: 24_000, seed: 8)
      let output = try host.run([input], key: [key])[0]
      #expect(output.allSatisfy { $0.isFinite })
      #expect(unit.switches.value(of: .nonFiniteCycles) == 0)
      key[100] = 0.5
      let fresh = try DirectHost(prepared(kind.make(1), ["sideChain": 1, "release": 20]))
      let expected = try fresh.run([input], key: [key])[0]
      let worst = zip(output, expected).dropFirst(23_000).map { abs($0 - $1) }.max()!
      #expect(worst < 1e-3, "\(fault)")
    }
  }

  // MARK: Configurations

  private func read(_ component: String, _ line: String) throws -> SessionConfiguration {
    try SessionConfiguration(
      toml: "[[unit]]\nid = \"e\"\ncomponent = \"\(component)\"\n" + line, file: "a.toml",
      kinds: [CompressorUnit.component, LimiterUnit.component, GateUnit.component])
  }

  @Test(arguments: Kind.all) func aConfigurationSaysTheLookAhead(kind: Kind) throws {
    let type = try #require(type(of: kind.make(0)) as? any ConfigurableUnit.Type)
    for (text, expected) in [("0", 0.0), ("2.5", 2.5), ("20", 20)] {
      let keys = try read(kind.name, "look-ahead = \(text)").units[0].keys
      let registry = ComponentRegistry()
      let component = try #require(
        [CompressorUnit.component, LimiterUnit.component, GateUnit.component].first {
          $0.shortName == kind.name
        })
      try registry.register(try type.component(component, for: keys))
      let unit = try registry.makeUnit(of: registry.component(named: kind.name))
      #expect((unit as? DynamicsProcessor)?.lookAhead == expected)
    }
    for text in ["-1", "21", "\"5\"", "nan"] {
      let error = try #require(throws: (any Error).self) {
        try read(kind.name, "look-ahead = \(text)")
      }
      #expect("\(error)".contains("a.toml:4"))
    }
  }
}

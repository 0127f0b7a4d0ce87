// The reverb's decay, and the routing of its channels.

import Effects
import Foundation
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitTestSupport

/// Sets a unit up for cycles of up to 1024 frames, with a channel count for each side.
func prepared<Unit: AudioUnit>(
  _ unit: Unit, _ values: [String: Float], inputs: Int, outputs: Int, rate: Double = 48_000
) throws -> Unit {
  for (keyPath, value) in values {
    try #require(unit.parameterTree.parameter(keyPath: keyPath)).setValue(value)
  }
  try unit.inputBusses[0].setFormat(AudioFormat(sampleRate: rate, channelCount: inputs))
  try unit.outputBusses[0].setFormat(AudioFormat(sampleRate: rate, channelCount: outputs))
  try unit.setMaximumFramesToRender(1024)
  try unit.allocateRenderResources()
  return unit
}

extension DirectHost {
  /// Renders the input's channels to the output's, whose count may differ.
  func run(blocks input: [[Float]], period: Int = 256) throws -> [[Float]] {
    var output: [[Float]] = []
    var frame = 0
    while frame < input[0].count {
      let count = min(period, input[0].count - frame)
      let cycle = try render(count, inputs: [input.map { Array($0[frame..<frame + count]) }])[0]
      if output.isEmpty { output = Array(repeating: [], count: cycle.count) }
      for channel in cycle.indices { output[channel] += cycle[channel] }
      frame += count
    }
    return output
  }
}

@Suite struct ReverbUnitTests {
  /// The decay time of 60 dB by Schroeder's backward integral, from the fall of −5 to −35 dB.
  static func decay(_ response: [Float], rate: Double) -> Double {
    var sums: [Double] = []
    var sum = 0.0
    for sample in response.reversed() {
      sum += Double(sample) * Double(sample)
      sums.append(sum)
    }
    let levels = sums.reversed().map { 10 * log10($0 / sum) }
    let first = levels.firstIndex { $0 < -5 }!
    let last = levels.firstIndex { $0 < -35 }!
    return Double(last - first) / rate * 2
  }

  @Test(arguments: [44_100.0, 48_000, 96_000, 192_000])
  func theDecayIsTheOneThatIsSet(rate: Double) throws {
    for seconds in [0.35, 1, 3] {
      let unit = try prepared(
        ReverbUnit(), ["decay": Float(seconds), "damping": 0, "mix": 100], inputs: 1, outputs: 2,
        rate: rate)
      let frames = Int((1.2 * seconds + 0.2) * rate)
      let output = try DirectHost(unit).run(blocks: [Signal.impulse(frames: frames)], period: 1024)
      for channel in output {
        let measured = Self.decay(channel, rate: rate)
        #expect(abs(measured / seconds - 1) < 0.12, "\(measured) of \(seconds) s")
      }
    }
  }

  @Test func anotherDecayIsReachedWhileItSounds() throws {
    let unit = try prepared(
      ReverbUnit(), ["decay": 20, "damping": 0, "mix": 100], inputs: 1, outputs: 2)
    try unit.schedule([ParameterMove(frame: 24_000, address: 0, value: 0.5)])
    let output = try DirectHost(unit).run(blocks: [Signal.impulse(frames: 72_000)])[0]
    let measured = Self.decay(Array(output[26_000...]), rate: 48_000)
    #expect(abs(measured / 0.5 - 1) < 0.15, "\(measured)")
  }

  @Test func withoutMixTheInputPassesToTheBit() throws {
    let input = [Signal.noise(frames: 5000, seed: 1), Signal.noise(frames: 5000, seed: 2)]
    let stereo = try prepared(ReverbUnit(), ["mix": 0], inputs: 2, outputs: 2)
    let both = try DirectHost(stereo).run(blocks: input)
    for channel in 0..<2 {
      #expect(firstBitDifference(both[channel], input[channel]) == nil)
    }
    // One input channel feeds both sides.
    let mono = try prepared(ReverbUnit(), ["mix": 0], inputs: 1, outputs: 2)
    for channel in try DirectHost(mono).run(blocks: [input[0]]) {
      #expect(firstBitDifference(channel, input[0]) == nil)
    }
  }

  @Test func theRoomHearsAllChannelsTogether() throws {
    let noise = Signal.noise(frames: 9600, seed: 3)
    let silence = Signal.silence(frames: 9600)
    let make = { try prepared(ReverbUnit(), ["mix": 100], inputs: 2, outputs: 2) }
    let left = try DirectHost(make()).run(blocks: [noise, silence])
    let right = try DirectHost(make()).run(blocks: [silence, noise])
    #expect(left == right)
    let against = try DirectHost(make()).run(blocks: [noise, noise.map { -$0 }])
    #expect(against.allSatisfy { $0.allSatisfy { $0 == 0 } })
    #expect(left[0] != left[1])
  }

  @Test func withoutWidthBothSidesAreTheSame() throws {
    let noise = Signal.noise(frames: 9600, seed: 4)
    let unit = try prepared(ReverbUnit(), ["mix": 100, "width": 0], inputs: 1, outputs: 2)
    let output = try DirectHost(unit).run(blocks: [noise])
    #expect(output[0] == output[1])
    let mono = try prepared(ReverbUnit(), ["mix": 100, "width": 0], inputs: 1, outputs: 1)
    #expect(firstBitDifference(try DirectHost(mono).run(blocks: [noise])[0], output[0]) == nil)
  }

  /// Covers rates at which a bounce may run.
  @Test(arguments: [192_000.0, 384_000])
  func reverbAndChorusAreAboutAsLoudAtTheHighestRates(rate: Double) throws {
    func levels(_ unit: AudioUnit, _ rate: Double) throws -> [Double] {
      let unit = try prepared(unit, ["mix": 100], inputs: 1, outputs: 2, rate: rate)
      let tone = Signal.sine(
        frames: Int(rate / 2), frequencyHertz: 440 * 48_000 / rate, amplitude: 0.5)
      return try DirectHost(unit).run(blocks: [tone]).map(rootMeanSquareDecibels)
    }
    for make in [{ try ReverbUnit() }, { try ChorusUnit() }] as [() throws -> AudioUnit] {
      for (high, usual) in zip(try levels(make(), rate), try levels(make(), 48_000)) {
        #expect(abs(high - usual) < 6, "\(high) dB in place of \(usual)")
      }
    }
  }

  @Test func aRateBeyondTheMemoryIsRefusedWithTheHighest() throws {
    let error = try #require(throws: (any Error).self) {
      try prepared(ReverbUnit(), [:], inputs: 1, outputs: 2, rate: 768_000)
    }
    #expect("\(error)".contains("384000"))
  }
}

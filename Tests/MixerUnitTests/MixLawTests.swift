// Gains of channels in a mix.

import Foundation
import MixerUnit
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitTestSupport

@Suite struct MixLawTests {
  /// Returns the gain from each channel of an input to each channel of the mix.
  private func gains(_ inputs: Int, to outputs: Int, pan: Float = 0, isMonoAtUnity: Bool = false)
    throws -> [[Float]]
  {
    let unit = try mixer(
      [inputs], channels: outputs, isMonoAtUnity: isMonoAtUnity, allocates: false)
    try unit.parameterTree.parameter(keyPath: "inputs.1.pan")?.setValue(pan)
    try unit.allocateRenderResources()
    let host = try DirectHost(unit)
    var gains = Array(repeating: [Float](), count: outputs)
    for channel in 0..<inputs {
      let input = (0..<inputs).map { Array(repeating: Float($0 == channel ? 1 : 0), count: 4) }
      let output = try host.render(4, inputs: [input])[0]
      for (place, samples) in output.enumerated() {
        #expect(Set(samples).count == 1)
        gains[place].append(samples[0])
      }
    }
    return gains
  }

  private func areEqual(_ gains: [[Float]], _ expected: [[Double]]) -> Bool {
    gains.count == expected.count
      && zip(gains, expected).allSatisfy { made, wanted in
        made.count == wanted.count && zip(made, wanted).allSatisfy { abs(Double($0) - $1) < 1e-6 }
      }
  }

  @Test func aMonoInputIsPannedByEqualPower() throws {
    for step in -20...20 {
      let pan = Float(step) / 20
      let angle = (Double(pan) + 1) * .pi / 4
      let gains = try gains(1, to: 2, pan: pan)
      #expect(areEqual(gains, [[cos(angle)], [sin(angle)]]), "\(pan): \(gains)")
      let power = gains[0][0] * gains[0][0] + gains[1][0] * gains[1][0]
      #expect(abs(power - 1) < 1e-6)
    }
    #expect(try gains(1, to: 2, pan: -1) == [[1], [0]])
    #expect(try gains(1, to: 2, pan: 1) == [[0], [1]])
  }

  @Test func aMonoInputAtUnityIsUnchangedInTheMiddleAndOnThePansSide() throws {
    #expect(try gains(1, to: 2, isMonoAtUnity: true) == [[1], [1]])
    #expect(try gains(1, to: 4, isMonoAtUnity: true) == [[1], [1], [0], [0]])
    #expect(try gains(1, to: 1, isMonoAtUnity: true) == [[1]])
    #expect(try gains(1, to: 2, pan: -1, isMonoAtUnity: true) == [[1], [0]])
    #expect(try gains(1, to: 2, pan: 1, isMonoAtUnity: true) == [[0], [1]])
    for step in 1..<20 {
      let x = Double(step) / 20
      let lower = cos(x * .pi / 2)
      let left = try gains(1, to: 2, pan: Float(-x), isMonoAtUnity: true)
      #expect(areEqual(left, [[1], [lower]]) && left[0] == [1], "\(left)")
      let right = try gains(1, to: 2, pan: Float(x), isMonoAtUnity: true)
      #expect(areEqual(right, [[lower], [1]]) && right[1] == [1], "\(right)")
    }
    // Other inputs follow their usual law.
    for inputs in [2, 4] {
      for pan: Float in [-0.25, 0, 0.5] {
        #expect(
          try gains(inputs, to: 2, pan: pan, isMonoAtUnity: true) == gains(inputs, to: 2, pan: pan))
      }
    }
  }

  @Test func aStereoInputIsPannedAsStereoPannerNodeDoes() throws {
    #expect(try gains(2, to: 2) == [[1, 0], [0, 1]])
    #expect(try gains(2, to: 2, pan: -1) == [[1, 1], [0, 0]])
    #expect(try gains(2, to: 2, pan: 1) == [[0, 0], [1, 1]])
    for step in 1..<20 {
      let x = Double(step) / 20
      let left = try gains(2, to: 2, pan: Float(x - 1))
      #expect(areEqual(left, [[1, cos(x * .pi / 2)], [0, sin(x * .pi / 2)]]), "\(left)")
      let right = try gains(2, to: 2, pan: Float(x))
      #expect(areEqual(right, [[cos(x * .pi / 2), 0], [sin(x * .pi / 2), 1]]), "\(right)")
    }
  }

  @Test func otherChannelCountsComeInByTheMatricesThatAreStated() throws {
    let h = 0.5.squareRoot()
    let expected: [(Int, Int, [[Double]])] = [
      (1, 1, [[1]]),
      (1, 4, [[h], [h], [0], [0]]),
      (1, 6, [[h], [h], [0], [0], [0], [0]]),
      (2, 1, [[h, h]]),
      (2, 4, [[1, 0], [0, 1], [0, 0], [0, 0]]),
      (4, 1, [[h, h, 0.5, 0.5]]),
      (4, 2, [[1, 0, h, 0], [0, 1, 0, h]]),
      (4, 4, [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]),
      (
        4, 6,
        [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
      ),
      (6, 1, [[h, h, 1, 0, 0.5, 0.5]]),
      (6, 2, [[1, 0, h, 0, h, 0], [0, 1, h, 0, 0, h]]),
      (
        6, 4,
        [[1, 0, h, 0, 0, 0], [0, 1, h, 0, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]]
      ),
      (3, 3, [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
    ]
    for (inputs, outputs, matrix) in expected {
      let made = try gains(inputs, to: outputs)
      #expect(areEqual(made, matrix), "\(inputs) to \(outputs): \(made)")
      // Only mono and stereo inputs follow the pan, and only if there are two sides.
      if inputs > 2 || outputs == 1 {
        #expect(try gains(inputs, to: outputs, pan: 1) == made, "\(inputs) to \(outputs)")
      }
    }
  }

  @Test func channelCountsWithoutAMatrixAreRefused() throws {
    let stereo = try MixerUnit()
    #expect(stereo.layout.inputChannelCounts == [1, 2, 4, 6])
    #expect(MixerLayout(channels: 8).inputChannelCounts == [1, 2, 8])
    try stereo.inputBusses.setBusCount(1)
    #expect(throws: BusError.self) {
      try stereo.inputBusses[0].setFormat(AudioFormat(sampleRate: 48_000, channelCount: 3))
    }
  }
}

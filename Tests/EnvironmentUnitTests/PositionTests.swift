// Directions and levels of sources, compared with the formulas.

import DSP
import EnvironmentUnit
import Foundation
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitTestSupport

@Suite struct PositionTests {
  /// Returns the output of each side for a constant input of 1.
  private func gains(_ values: [String: Float], channels: Int = 1) throws -> [Double] {
    let unit = try environment([channels], values)
    let ones = Array(repeating: Signal.constant(1, frames: 8), count: channels)
    return try DirectHost(unit).render(8, inputs: [ones])[0].map { Double($0[7]) }
  }

  @Test func equalPowerPlacesByTheAngleFromTheMiddle() throws {
    for degrees in stride(from: -180.0, through: 180, by: 15) {
      let azimuth = degrees * .pi / 180
      let made = try gains(at(sin(azimuth), 0, -cos(azimuth)))
      // A source in the rear sounds like its mirror image in front.
      let lateral = asin(sin(azimuth))
      let angle = (lateral + .pi / 2) / 2
      #expect(abs(made[0] - cos(angle)) < 1e-6, "\(degrees): \(made)")
      #expect(abs(made[1] - sin(angle)) < 1e-6, "\(degrees): \(made)")
      #expect(abs(made[0] * made[0] + made[1] * made[1] - 1) < 1e-6)
    }
    #expect(try gains(at(0, 1, 0)).allSatisfy { abs($0 - 0.5.squareRoot()) < 1e-6 })
    // In the middle of the head, and half-way to an ear.
    #expect(try gains(at(0, 0, 0)).allSatisfy { abs($0 - 0.5.squareRoot()) < 1e-6 })
    let half = try gains(at(0.0875 / 2, 0, 0))
    #expect(abs(half[0] - 0.25.squareRoot()) < 1e-6 && abs(half[1] - 0.75.squareRoot()) < 1e-6)
  }

  @Test func theSoundFieldIsHeardByTwoCardioids() throws {
    for degrees in stride(from: -180.0, through: 180, by: 15) {
      let azimuth = degrees * .pi / 180
      let made = try gains(at(sin(azimuth), 0, -cos(azimuth), Algorithm.soundField))
      let scale = 0.5.squareRoot() / (0.5 + 0.5 * cos(.pi / 4))
      for (side, axis) in [(0, -Double.pi / 4), (1, Double.pi / 4)] {
        let cardioid = 0.5 + 0.5 * cos(azimuth - axis)
        #expect(abs(made[side] - scale * cardioid) < 1e-6, "\(degrees): \(made)")
      }
    }
  }

  @Test func passingThroughKnowsNoPlace() throws {
    for place in [at(5, 1, 2, Algorithm.passThrough), at(0, 0, 0, Algorithm.passThrough)] {
      #expect(try gains(place).allSatisfy { abs($0 - 0.5.squareRoot()) < 1e-6 })
    }
  }

  @Test(arguments: [Float(0), 1, 2])
  func distancesAttenuateByTheModelsOfOpenAL(model: Float) throws {
    for (reference, maximum, rollOff) in [
      (1.0, 100_000.0, 1.0), (2, 50, 0.5), (0.5, 20, 2.5), (3, 3, 1), (5, 2, 1), (1, 10, 0),
    ] {
      for distance in [0.1, 0.5, 1, 2, 3.7, 10, 19.99, 50, 1234] {
        let made = try gains(
          at(
            0, 0, -distance, Algorithm.equalPower,
            [
              "distance.model": model, "distance.reference": Float(reference),
              "distance.maximum": Float(maximum), "distance.rollOff": Float(rollOff),
            ]))
        let held = max(min(distance, maximum), reference)
        let expected =
          maximum <= reference
          ? 1
          : model == 0
            ? reference / (reference + rollOff * (held - reference))
            : model == 1
              ? max(0, 1 - rollOff * (held - reference) / (maximum - reference))
              : pow(held / reference, -rollOff)
        #expect(
          abs(made[0] - expected * 0.5.squareRoot()) < 1e-6,
          "\(distance) m of \(reference) to \(maximum), \(rollOff): \(made[0])")
      }
    }
  }

  @Test func stereoIsPassedThroughWithItsVolumeAlone() throws {
    let noise = [Signal.noise(frames: 600, seed: 1), Signal.noise(frames: 600, seed: 2)]
    let unit = try environment(
      [2], at(30, 4, 5, 2, ["inputs.1.obstruction": -50, "inputs.1.occlusion": -50]))
    let output = try DirectHost(unit).run(busses: [noise])
    for channel in 0..<2 { #expect(firstBitDifference(output[channel], noise[channel]) == nil) }
    #expect(try gains(["inputs.1.volume": 0.25], channels: 2) == [0.25, 0.25])
  }

  @Test func moreThanTwoChannelsAreRefusedWithTheAcceptedCounts() throws {
    let unit = try environment([1], allocates: false)
    do throws(BusError) {
      try unit.inputBusses[0].setFormat(AudioFormat(sampleRate: 48_000, channelCount: 3))
      Issue.record("three channels were taken")
    } catch {
      #expect(error.description == "bus \"Input 1\" does not take 3 channels; it takes 1, 2")
    }
  }

  @Test func theListenersPlaceAndAnglesDecide() throws {
    // A source one metre to the right of the world's origin.
    func lateral(_ values: [String: Float]) throws -> Double {
      let made = try gains(at(1, 0, 0, 0, values))
      return made[1] * made[1] - made[0] * made[0]
    }
    #expect(abs(try lateral([:]) - 1) < 1e-6)
    #expect(abs(try lateral(["listener.yaw": 90])) < 1e-6)
    #expect(abs(try lateral(["listener.yaw": -180]) + 1) < 1e-6)
    #expect(abs(try lateral(["listener.yaw": 60]) - 0.5) < 1e-6)
    #expect(abs(try lateral(["listener.roll": 60]) - 0.5) < 1e-6)
    #expect(abs(try lateral(["listener.pitch": 45]) - 1) < 1e-6)
    #expect(abs(try lateral(["listener.x": 2, "distance.rollOff": 0]) + 1) < 1e-6)
    #expect(abs(try lateral(["listener.x": 1, "listener.z": 1, "distance.rollOff": 0])) < 1e-6)
    // A source above is in front when looking up, in the rear when looking down, and quieter there.
    let up = try gains(at(0, 1, 0, Algorithm.soundField, ["listener.pitch": 90]))
    let down = try gains(at(0, 1, 0, Algorithm.soundField, ["listener.pitch": -90]))
    #expect(abs(up[0] - 0.5.squareRoot()) < 1e-6 && down[0] < 0.2)
  }

  @Test func bothFormsOfTheOrientationAreOne() throws {
    let unit = try environment(allocates: false)
    var random = SeededRandom(seed: 7)
    for _ in 0..<200 {
      let set = ListenerOrientation(
        yaw: .random(in: -179...179, using: &random),
        pitch: .random(in: -89...89, using: &random),
        roll: .random(in: -179...179, using: &random))
      unit.listenerOrientation = set
      let axes = unit.listenerAxes
      #expect(abs(axes.front.dot(axes.up)) < 1e-12 && abs(axes.front.length - 1) < 1e-12)
      #expect(axes.front.cross(axes.up).minus(axes.right).length < 1e-12)
      try unit.setListener(
        front: axes.front.scaled(by: 3), up: axes.up.scaled(by: 0.5).minus(axes.front))
      #expect(unit.listenerAxes.front.minus(axes.front).length < 1e-6)
      #expect(unit.listenerAxes.up.minus(axes.up).length < 1e-5)
    }
    // Straight up and down, with lengths at the ends of the range.
    for y in [1.0, -1, 1e300, 1e-300] {
      try unit.setListener(
        front: SpatialVector(x: 0, y: y, z: 0), up: SpatialVector(x: 0, y: 0, z: y))
      #expect(
        unit.listenerAxes.front.minus(SpatialVector(x: 0, y: y > 0 ? 1 : -1, z: 0)).length < 1e-6)
      #expect(
        unit.listenerAxes.up.minus(SpatialVector(x: 0, y: 0, z: y > 0 ? 1 : -1)).length < 1e-6)
    }
  }

  @Test func vectorsThatGiveNoOrientationAreRefused() throws {
    let unit = try environment(allocates: false)
    unit.listenerOrientation = ListenerOrientation(yaw: 10, pitch: 20, roll: 30)
    let ahead = SpatialVector(x: 0, y: 0, z: -1)
    let nothing = SpatialVector(x: 0, y: 0, z: 0)
    for (front, up, error) in [
      (nothing, ahead, ListenerOrientationError.frontIsNoDirection),
      (ahead, nothing, .upIsNoDirection), (ahead, ahead.scaled(by: -2), .upIsAlongFront),
      (SpatialVector(x: .nan, y: 0, z: 1), ahead, .frontIsNoDirection),
      (ahead, SpatialVector(x: .infinity, y: 0, z: 1), .upIsNoDirection),
    ] {
      #expect(throws: error) { try unit.setListener(front: front, up: up) }
    }
    #expect(unit.listenerOrientation == ListenerOrientation(yaw: 10, pitch: 20, roll: 30))
  }

  @Test func aPanIsKeptWithoutEffect() throws {
    let noise = Signal.noise(frames: 600, seed: 1)
    let plain = try DirectHost(environment()).run(busses: [[noise]])
    let unit = try environment(["inputs.1.pan": 1])
    try unit.schedule([unit.move("inputs.1.pan", to: -0.5, at: 100)])
    #expect(try DirectHost(unit).run(busses: [[noise]]) == plain)
    #expect(unit.parameterTree.parameter(keyPath: "inputs.1.pan")?.value == -0.5)
  }
}

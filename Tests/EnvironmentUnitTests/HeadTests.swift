// Sound at the ears of both heads, compared with formulas and files.

import DSP
import EnvironmentUnit
import Foundation
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitTestSupport

/// A complex number.
private struct Complex {
  var real: Double
  var imaginary: Double

  static func * (one: Complex, other: Complex) -> Complex {
    Complex(
      real: one.real * other.real - one.imaginary * other.imaginary,
      imaginary: one.real * other.imaginary + one.imaginary * other.real)
  }

  static func / (one: Complex, other: Complex) -> Complex {
    let power = other.real * other.real + other.imaginary * other.imaginary
    return one
      * Complex(real: other.real / power, imaginary: -other.imaginary / power)
  }

  func distance(_ other: Complex) -> Double {
    let (x, y) = (real - other.real, imaginary - other.imaginary)
    return (x * x + y * y).squareRoot()
  }

  static func turn(_ angle: Double) -> Complex {
    Complex(real: cos(angle), imaginary: sin(angle))
  }

  /// Returns the response's complex gain for a sine of `turn` radians a frame.
  static func response(_ samples: [Double], _ turn: Double) -> Complex {
    var sum = Complex(real: 0, imaginary: 0)
    for (frame, sample) in samples.enumerated() {
      sum.real += sample * cos(turn * Double(frame))
      sum.imaginary -= sample * sin(turn * Double(frame))
    }
    return sum
  }
}

@Suite struct HeadTests {
  @Test(arguments: [44_100.0, 48_000, 96_000])
  func theSphereIsThatOfBrownAndDuda(rate: Double) throws {
    let radius = 0.0875
    let speed = 343.0
    for degrees in stride(from: -180.0, through: 180, by: 20) {
      let azimuth = degrees * .pi / 180
      let response = try impulseResponse(
        at(sin(azimuth), 0, -cos(azimuth), Algorithm.sphericalHead), sampleRate: rate)
      for (ear, side) in [-1.0, 1].enumerated() {
        // The angle between the source and the ear.
        let angle = acos(max(-1, min(1, side * sin(azimuth))))
        let way = angle < .pi / 2 ? -cos(angle) : angle - .pi / 2
        let frames = 1 + radius / speed * (1 + way) * rate
        let shadow = 1.05 + 0.95 * cos(angle * 180 / 150)
        for hertz in [100.0, 500, 1000, 2000, 3000] {
          let turn = 2 * .pi * hertz / rate
          // s = 2 rate (z − 1) / (z + 1) is j · 2 rate · tan(turn / 2).
          let s = 2 * rate * tan(turn / 2)
          let corner = 2 * speed / radius
          let expected =
            Complex(real: corner, imaginary: shadow * s) / Complex(real: corner, imaginary: s)
            * Complex.turn(-turn * frames) * Complex(real: 0.5.squareRoot(), imaginary: 0)
          let made = Complex.response(response[ear], turn)
          #expect(
            made.distance(expected) < 0.005, "\(degrees)°, ear \(ear), \(hertz) Hz, \(rate)")
        }
      }
    }
  }

  @Test func theSphereHasWoodworthsTimeDifference() throws {
    for degrees in [10.0, 30, 45, 60, 80, 90] {
      let azimuth = degrees * .pi / 180
      let place = RelativePosition(
        of: SpatialVector(x: sin(azimuth), y: 0, z: -cos(azimuth)),
        from: SpatialVector(x: 0, y: 0, z: 0), axes: ListenerAxes(yaw: 0, pitch: 0, roll: 0))
      let delays = SphericalHead.place(place.direction, sampleRate: 48_000)
      let expected = 0.0875 / 343 * (azimuth + sin(azimuth))
      #expect(abs((delays.x - delays.y) / 48_000 - expected) < 1e-12)
    }
  }

  // MARK: Measured responses

  private static let kemar = HeadResponseFile.defaultPath

  @Test func measuredResponsesAreHeardFromTheirDirections() throws {
    let file = try HeadResponseFile(path: Self.kemar)
    #expect(file.measurements.count == 710 && file.sampleRate == 44_100)
    // Front, right, left rear, above, right front above, left.
    for (azimuth, elevation) in [(0.0, 0.0), (90, 0), (-130, 0), (0, 90), (30, 30), (-90, 0)] {
      let (a, e) = (azimuth * .pi / 180, elevation * .pi / 180)
      let place = SpatialVector(x: sin(a) * cos(e), y: sin(e), z: -cos(a) * cos(e))
      let measured = try #require(
        file.measurements.max {
          $0.direction.dot(place) / $0.direction.length
            < $1.direction.dot(place) / $1.direction.length
        })
      let response = try impulseResponse(
        at(place.x, place.y, place.z, Algorithm.headResponses), sampleRate: 44_100)
      // One factor for all directions.
      let front = try #require(
        file.measurements.max {
          -$0.direction.z / $0.direction.length < -$1.direction.z / $1.direction.length
        })
      let energy = front.ears.map(Self.beginning).joined().reduce(0.0) { $0 + $1 * $1 }
      for hertz in [300.0, 700, 1500, 3000, 5000, 8000] {
        let expected = (0..<2).map {
          magnitude(Self.beginning(measured.ears[$0]), hertz, 44_100) / energy.squareRoot()
        }
        for ear in 0..<2 {
          let error = abs(magnitude(response[ear], hertz, 44_100) - expected[ear])
          // -23 dB of the ear with the higher gain.
          #expect(
            error < 0.07 * max(expected[0], expected[1]),
            "\(azimuth)°, \(elevation)°, ear \(ear), \(hertz) Hz: \(error) of \(expected)")
        }
      }
      // The ear that hears the sound first, and the lag, are those of the file.
      func lag(_ left: [Double], _ right: [Double]) -> Int {
        let lags = -45...45
        return lags.max { one, other in
          correlation(left, right, one) < correlation(left, right, other)
        }!
      }
      let expected = lag(
        measured.ears[0].map(Double.init), measured.ears[1].map(Double.init))
      let made = lag(response[0], response[1])
      #expect(abs(made - expected) <= 1, "\(azimuth)°, \(elevation)°: \(made) and \(expected)")
      if azimuth == 90 { #expect((20...40).contains(-made)) }
    }
  }

  /// Returns the part of a response that is rendered: 5 ms from eight frames before its onset on,
  /// the last quarter of them faded out.
  private static func beginning(_ response: [Float]) -> [Double] {
    let peak = response.map(abs).max() ?? 0
    let onset = response.firstIndex { abs($0) >= peak / 5 } ?? 0
    let start = max(0, onset - 8)
    return (0..<224).map { frame in
      let left = 224 - frame
      let part = left > 56 ? 1 : 0.5 - 0.5 * cos(.pi * Double(left) / 57)
      return start + frame < response.count ? Double(response[start + frame]) * part : 0
    }
  }

  private func correlation(_ left: [Double], _ right: [Double], _ lag: Int) -> Double {
    var sum = 0.0
    for frame in 0..<400 {
      let other = frame + lag
      if other >= 0 && other < min(right.count, 400) { sum += left[frame] * right[other] }
    }
    return sum
  }

  @Test(arguments: [48_000.0, 96_000])
  func theResponsesHaveTheSessionsRate(rate: Double) throws {
    let place = at(0.7, 0.2, -0.5, Algorithm.headResponses)
    let first = try impulseResponse(place, sampleRate: 44_100)
    let other = try impulseResponse(place, sampleRate: rate)
    for ear in 0..<2 {
      for hertz in [200.0, 1000, 3000, 6000, 10_000] {
        let difference =
          decibels(Float(magnitude(other[ear], hertz, rate)))
          - decibels(Float(magnitude(first[ear], hertz, 44_100)))
        #expect(abs(difference) < 1, "ear \(ear), \(hertz) Hz: \(difference)")
      }
    }
  }

  /// Returns a head with random responses in random directions.
  private func randomHead(sampleRate: Double) -> HeadResponses {
    var random = SeededRandom(seed: 5)
    let measurements = (0..<40).map { index in
      HeadMeasurement(
        direction: SpatialVector(
          x: .random(in: -1...1, using: &random), y: .random(in: -1...1, using: &random),
          z: .random(in: -1...1, using: &random)),
        ears: (0..<2).map { ear in
          Signal.silence(frames: Int.random(in: 5...30, using: &random))
            + Signal.noise(frames: 300, seed: UInt64(2 * index + ear), amplitude: 0.1)
        })
    }
    return HeadResponses(measurements, measuredRate: 44_100, sampleRate: sampleRate)
  }

  @Test(arguments: [44_100.0, 48_000, 96_000])
  func convolutionIsThatByTheDefinition(rate: Double) throws {
    let head = randomHead(sampleRate: rate)
    let taps = head.lattice.taps
    let direction = SpatialVector(x: 0.3, y: -0.5, z: 0.812)
    var responses = [Float](repeating: 0, count: 2 * taps)
    responses.withUnsafeMutableBufferPointer {
      head.lattice.blend(direction, to: $0.baseAddress!)
    }
    var convolver = HeadConvolver(head.lattice, sampleRate: rate)
    convolver.reset(direction)
    // Delays of whole frames, which interpolation leaves unchanged.
    let glide = SpatialGlide(SIMD4(3, 7, 0, 0))
    let clock = SpatialClock(settlingFrames: 100)
    let noise = Signal.noise(frames: 3000, seed: 9)
    var output = [[Float]](repeating: [Float](repeating: 0, count: 3000), count: 2)
    var frame = 0
    for length in Periods.random(upTo: 256, seed: 4).lengths(frames: 3000) {
      var (left, right) = (
        [Float](repeating: 0, count: length), [Float](repeating: 0, count: length)
      )
      noise.withUnsafeBufferPointer { noise in
        left.withUnsafeMutableBufferPointer { left in
          right.withUnsafeMutableBufferPointer { right in
            convolver.process(
              noise.baseAddress! + frame, glide, clock, left: left.baseAddress!,
              right: right.baseAddress!, count: length)
          }
        }
      }
      for place in 0..<length {
        output[0][frame + place] = left[place]
        output[1][frame + place] = right[place]
      }
      frame += length
    }
    for (ear, delay) in [3, 7].enumerated() {
      var (error, power) = (0.0, 0.0)
      for frame in 0..<3000 {
        var sum = 0.0
        for tap in 0..<taps where frame - delay - tap >= 0 {
          sum += Double(responses[ear * taps + tap]) * Double(noise[frame - delay - tap])
        }
        let difference = Double(output[ear][frame]) - sum
        error += difference * difference
        power += sum * sum
      }
      let ratio = 10 * log10(error / power)
      #expect(ratio < -120, "ear \(ear): \(ratio) dB")
    }
  }

  @Test func aCrossfadeNeverRestarts() throws {
    let head = randomHead(sampleRate: 48_000)
    var convolver = HeadConvolver(head.lattice, sampleRate: 48_000)
    convolver.reset(SpatialVector(x: 0, y: 0, z: -1))
    var ends: [Int] = []
    var frame = 0
    var former = 0
    for step in 1...400 {
      // A new direction every eight frames.
      let angle = Double(step) / 10
      convolver.aim(SpatialVector(x: sin(angle), y: 0, z: -cos(angle)))
      if former == 0 { #expect(convolver.fadingFrames == 480) }
      #expect(former == 0 || convolver.fadingFrames == former)
      convolver.skip(8)
      frame += 8
      former = convolver.fadingFrames
      if former == 0 { ends.append(frame) }
    }
    #expect(ends == stride(from: 480, through: 3200, by: 480).map { $0 })
  }

  @Test func aStormOfPlacesMakesNoClick() throws {
    let sine = Signal.sine(frames: 14_400, frequencyHertz: 100, amplitude: 0.5)
    for algorithm in Algorithm.all {
      let unit = try environment(at(1, 0, 0, algorithm))
      var moves: [ParameterMove] = []
      for step in 0..<100 {
        let angle = Double(step) * 1.7
        moves += try [
          unit.move("inputs.1.x", to: Float(cos(angle)), at: 2000 + 97 * step),
          unit.move("inputs.1.z", to: Float(sin(angle)), at: 2000 + 97 * step),
        ]
      }
      try unit.schedule(moves)
      for channel in try DirectHost(unit).run(busses: [[sine]]) {
        let bends = (1000..<channel.count).map { frame -> Float in
          let (first, last): (Float, Float) = (channel[frame - 2], channel[frame])
          return abs(first + last - 2 * channel[frame - 1])
        }
        #expect(bends.max()! < 3e-3, "\(algorithm): \(bends.max()!)")
      }
    }
  }

  // MARK: Files

  @Test func aFileThatIsNoneIsRefusedWithItsNameAndTheReason() throws {
    let folder = try TemporaryDirectory()
    let text = folder.file("text.sofa")
    try Data("This is no SOFA file, but long enough to be read as one. ".utf8).write(to: text)
    let cut = folder.file("cut.sofa")
    try Data(contentsOf: URL(fileURLWithPath: Self.kemar)).prefix(50_000).write(to: cut)
    let unit = try environment(allocates: false)
    for (path, reason) in [
      (folder.file("none.sofa").path, "there is no such file or folder"),
      (text.path, "it is no SOFA file"), (folder.url.path, "it is a folder"), (cut.path, nil),
    ] {
      do throws(HeadResponseError) {
        try unit.setHeadResponses(path: path)
        Issue.record("\(path) was taken")
      } catch {
        #expect(error.path == path)
        if let reason { #expect(error.reason == reason) }
        #expect(error.description.hasPrefix("\(path): "))
        #expect(error.description.contains("accepted: a SOFA file"))
      }
      #expect(unit.headResponsePath == HeadResponseFile.defaultPath)
    }
  }

  @Test func anotherFileIsHeard() throws {
    let folder = try TemporaryDirectory()
    let copy = folder.file("mine.sofa")
    try FileManager.default.copyItem(
      at: URL(fileURLWithPath: Self.kemar).resolvingSymlinksInPath(), to: copy)
    let unit = try environment(at(1, 0, 0, Algorithm.headResponses), allocates: false)
    try unit.setHeadResponses(path: copy.path)
    try unit.allocateRenderResources()
    let noise = Signal.noise(frames: 500, seed: 1)
    let plain = try environment(at(1, 0, 0, Algorithm.headResponses))
    let heard = try DirectHost(unit).run(busses: [[noise]])
    #expect(try DirectHost(plain).run(busses: [[noise]]) == heard)
    // The file is read when resources are allocated; without it the allocation fails.
    try unit.deallocateRenderResources()
    try FileManager.default.removeItem(at: copy)
    #expect(throws: AudioUnitError.self) { try unit.allocateRenderResources() }
  }
}

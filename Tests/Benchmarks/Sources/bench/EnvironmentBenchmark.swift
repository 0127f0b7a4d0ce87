// An environment against plain C loops that do the same.

import Auricle
import CBaseline
import DSP
import EnvironmentUnit

/// Sources of noise around a listener, all rendered by one algorithm.
final class EnvironmentBenchmark {
  enum Algorithm: String, CaseIterable {
    case equalPower = "equal power"
    case sphericalHead = "spherical head"
    case headResponses = "HRTF"
    case soundField = "sound field"
    case passThrough = "passed through"
  }

  static let frameCount = 256
  private static let sourceCount = 64
  private static let sampleRate = 48_000.0

  private let algorithm: Algorithm
  private let unit: EnvironmentUnit
  private let hosting: UnitHosting
  private let memory: UnsafeMutablePointer<Float>
  private let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
  private let silence: UnsafeMutablePointer<UnsafePointer<Float>>
  private let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>
  private let output: UnsafeMutablePointer<Float>
  private let heads: UnsafeMutablePointer<BaselineHead>
  private let responses: UnsafeMutablePointer<Float>
  private let histories: UnsafeMutablePointer<Float>
  private let headResponses: HeadResponses
  private let taps: Int
  private var frame: FrameTime = 0

  init(_ algorithm: Algorithm) throws {
    self.algorithm = algorithm
    unit = try EnvironmentUnit(EnvironmentLayout(inputs: Self.sourceCount))
    try unit.inputBusses.setBusCount(Self.sourceCount)
    let mono = try AudioFormat(sampleRate: Self.sampleRate, channelCount: 1)
    for bus in unit.inputBusses { try bus.setFormat(mono) }
    let file = try HeadResponseFile(path: HeadResponseFile.defaultPath)
    headResponses = HeadResponses(
      file.measurements, measuredRate: file.sampleRate, sampleRate: Self.sampleRate)
    taps = headResponses.lattice.taps
    let count = Self.sourceCount
    left = .allocate(capacity: count)
    right = .allocate(capacity: count)
    heads = .allocate(capacity: count)
    responses = .allocate(capacity: count * 2 * taps)
    responses.initialize(repeating: 0, count: count * 2 * taps)
    let room = taps + Self.frameCount + 64
    histories = .allocate(capacity: count * room)
    histories.initialize(repeating: 0, count: count * room)
    let place = Algorithm.allCases.firstIndex(of: algorithm) ?? 0
    for index in 0..<count {
      // On a circle of two metres, at the lattice's own points; a distance that halves the level.
      let degrees = Double(index * 5)
      let direction = RelativePosition(
        of: SpatialVector(x: Self.sine(degrees), y: 0, z: -Self.sine(degrees + 90)),
        from: SpatialVector(x: 0, y: 0, z: 0), axes: ListenerAxes(yaw: 0, pitch: 0, roll: 0)
      ).direction
      for (name, value) in [
        ("x", 2 * direction.x), ("z", 2 * direction.z), ("algorithm", Double(place)),
      ] {
        try unit.parameterTree.parameter(keyPath: "inputs.\(index + 1).\(name)")?
          .setValue(Float(value))
      }
      let gains =
        switch algorithm {
        case .soundField: SpatialPanning.soundField(direction)
        case .passThrough: (left: 1.414_213_562_373_095, right: 1.414_213_562_373_095)
        default: SpatialPanning.equalPower(direction)
        }
      (left + index).initialize(to: Float(0.5 * gains.left))
      (right + index).initialize(to: Float(0.5 * gains.right))
      (heads + index).initialize(to: Self.head(direction, histories + index * room))
      headResponses.lattice.blend(direction, to: responses + index * 2 * taps)
    }
    try unit.allocateRenderResources()
    hosting = try unit.makeHosting()
    var random = SystemRandomNumberGenerator()
    let samples = Self.frameCount * (count + 1)
    memory = .allocate(capacity: samples)
    for place in 0..<samples {
      let isSilence = place >= Self.frameCount * count
      (memory + place).initialize(to: isSilence ? 0 : Float.random(in: -0.1...0.1, using: &random))
    }
    inputs = .allocate(capacity: count)
    silence = .allocate(capacity: count)
    for index in 0..<count {
      (inputs + index).initialize(to: UnsafePointer(memory + index * Self.frameCount))
      (silence + index).initialize(to: UnsafePointer(memory + count * Self.frameCount))
    }
    output = .allocate(capacity: 2 * Self.frameCount)
    output.initialize(repeating: 0, count: 2 * Self.frameCount)
  }

  deinit {
    for memory in [memory, left, right, output, responses, histories] { memory.deallocate() }
    heads.deallocate()
    inputs.deallocate()
    silence.deallocate()
  }

  private static func sine(_ degrees: Double) -> Double {
    ListenerAxes(yaw: degrees, pitch: 0, roll: 0).front.x
  }

  /// The spherical head's coefficients for a direction, at half the level.
  private static func head(
    _ direction: SpatialVector, _ history: UnsafeMutablePointer<Float>
  ) -> BaselineHead {
    let place = SphericalHead.place(direction, sampleRate: sampleRate)
    func fill(_ delay: Double, _ shadow: Double) -> (
      Int32, (Float, Float, Float, Float), Double, Double
    ) {
      let whole = Int32(delay)
      let d = Float(delay - Double(whole))
      let corner = 2 * 343 / RelativePosition.headRadius
      let scale = 0.5 * 0.707_106_781_186_547_5 / (2 * sampleRate + corner)
      let (edge, gain) = (2 * sampleRate * scale * shadow, corner * scale)
      return (
        whole,
        (
          d * (d - 1) * (d - 2) * (-1 / 6), (d + 1) * (d - 1) * (d - 2) * 0.5,
          (d + 1) * d * (d - 2) * -0.5, (d + 1) * d * (d - 1) * (1 / 6)
        ),
        edge + gain, gain - edge
      )
    }
    let (left, right) = (fill(place.x, place.z), fill(place.y, place.w))
    let corner = 2 * 343 / RelativePosition.headRadius
    return BaselineHead(
      history: history, kept: 40, whole: (left.0, right.0), weights: (left.1, right.1),
      now: (left.2, right.2), before: (left.3, right.3),
      pole: (2 * sampleRate - corner) / (2 * sampleRate + corner), former: (0, 0), state: (0, 0))
  }

  private func process(isSilent: Bool = false, frameCount: Int = EnvironmentBenchmark.frameCount) {
    let hosted = hosting.hosted
    hosted.beginCycle(at: frame, frameCount: frameCount)
    let sources = isSilent ? silence : inputs
    for index in 0..<Self.sourceCount {
      hosted.call.input(index)[0] = UnsafeMutablePointer(mutating: sources[index])
    }
    hosted.call.output(0)[0] = output
    hosted.call.output(0)[1] = output + Self.frameCount
    _ = hosted.render(at: frame, frameCount: frameCount)
    hosted.endCycle()
    frame += FrameTime(frameCount)
  }

  private func processBaseline() {
    let (outLeft, outRight) = (output, output + Self.frameCount)
    guard algorithm == .sphericalHead || algorithm == .headResponses else {
      baselineMix(
        inputs, left, right, Int32(Self.sourceCount), 1, outLeft, outRight,
        Int32(Self.frameCount))
      return
    }
    output.update(repeating: 0, count: 2 * Self.frameCount)
    let room = taps + Self.frameCount + 64
    for index in 0..<Self.sourceCount {
      if algorithm == .sphericalHead {
        baselineSphere(heads + index, inputs[index], outLeft, outRight, Int32(Self.frameCount))
      } else {
        baselineConvolve(
          histories + index * room, responses + index * 2 * taps, Int32(taps), inputs[index],
          outLeft, outRight, Int32(Self.frameCount))
      }
    }
  }

  /// The greatest difference between both outputs: they must do the same work. For measured head
  /// responses the C loop leaves out the delays, so the power is compared: 0 if plausible,
  /// otherwise 1.
  func difference() -> Float {
    process()
    process()
    let ours = Array(UnsafeBufferPointer(start: output, count: 2 * Self.frameCount))
    processBaseline()
    processBaseline()
    if algorithm == .headResponses {
      let power = ours.reduce(0) { $0 + $1 * $1 }
      let other = (0..<2 * Self.frameCount).reduce(Float(0)) { $0 + output[$1] * output[$1] }
      return power > 0.15 * other && power < 0.4 * other ? 0 : 1
    }
    return (0..<2 * Self.frameCount).reduce(0) { max($0, abs(ours[$1] - output[$1])) }
  }

  func measure(isSilent: Bool = false) -> Comparison {
    .measure(
      units: Self.frameCount, ours: { process(isSilent: isSilent) },
      baseline: { processBaseline() })
  }

  /// Frames of the cycles among which the costliest is sought.
  static let shortPeriod = 64

  /// The costliest cycle of `shortPeriod` frames, in seconds. Each cycle counts by its shortest
  /// time over the repetitions, which excludes delays of the machine.
  ///
  /// - Parameter turns: whether the head turns round in eight steps, each on one frame and followed
  ///   by 85 ms of rest. Otherwise it rests for the same time.
  func dearestCycle(turns: Bool, repetitions: Int = 9) throws -> Double {
    guard let yaw = unit.parameterTree.parameter(keyPath: "listener.yaw") else {
      throw BenchmarkError("the environment has no listener")
    }
    let (turnCount, cycleCount) = (8, 64)
    var times = [Double](repeating: .infinity, count: turnCount * cycleCount)
    for _ in 0..<repetitions {
      for turn in 0..<turnCount {
        if turns { try yaw.setValue(Float(turn + 1) * 45 - (turn < 4 ? 0 : 360)) }
        for cycle in 0..<cycleCount {
          let index = turn * cycleCount + cycle
          times[index] = min(
            times[index], processorSeconds { process(frameCount: Self.shortPeriod) })
        }
      }
    }
    return times.max()!
  }

  /// Formats seconds in microseconds, and as a share of such a period.
  static func describe(_ seconds: Double) -> String {
    let share = 100 * seconds * sampleRate / Double(shortPeriod)
    return "\(Int((seconds * 1e6).rounded())) µs (\(rounded(share)) %)"
  }
}

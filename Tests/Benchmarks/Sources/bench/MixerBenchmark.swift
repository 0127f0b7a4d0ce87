// The mixer against plain C loops that do the same.

import Auricle
import CBaseline
import MixerUnit

/// Mono inputs of noise, each with a volume and a pan, mixed to two channels.
final class MixerBenchmark {
  static let frameCount = 256

  private let hosting: UnitHosting
  private let inputCount: Int
  private let memory: UnsafeMutablePointer<Float>
  private let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
  private let silence: UnsafeMutablePointer<UnsafePointer<Float>>
  private let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>
  private let output: UnsafeMutablePointer<Float>
  private var frame: FrameTime = 0

  init(inputCount: Int) throws {
    self.inputCount = inputCount
    let unit = try MixerUnit(MixerLayout(inputs: inputCount))
    try unit.inputBusses.setBusCount(inputCount)
    let mono = try AudioFormat(sampleRate: 48_000, channelCount: 1)
    for bus in unit.inputBusses { try bus.setFormat(mono) }
    var random = SystemRandomNumberGenerator()
    left = .allocate(capacity: inputCount)
    right = .allocate(capacity: inputCount)
    try unit.parameterTree.parameter(keyPath: "volume")?.setValue(0.5)
    for index in 0..<inputCount {
      let volume = Float.random(in: 0.1...1, using: &random)
      let isLeft = Bool.random(using: &random)
      // In the middle both gains are equal, on a side one is 0: both cases occur.
      let pan: Float = index.isMultiple(of: 2) ? 0 : isLeft ? -0.5 : 0.5
      try unit.parameterTree.parameter(keyPath: "inputs.\(index + 1).volume")?.setValue(volume)
      try unit.parameterTree.parameter(keyPath: "inputs.\(index + 1).pan")?.setValue(pan)
      // cos and sin of 22.5, 45 and 67.5 degrees.
      let (near, far): (Float, Float) = (0.923_879_5, 0.382_683_43)
      let middle: Float = 0.707_106_8
      (left + index).initialize(to: volume * (pan == 0 ? middle : pan < 0 ? near : far))
      (right + index).initialize(to: volume * (pan == 0 ? middle : pan < 0 ? far : near))
    }
    try unit.allocateRenderResources()
    hosting = try unit.makeHosting()
    let count = Self.frameCount * (inputCount + 1)
    memory = .allocate(capacity: count)
    for place in 0..<count {
      let isSilence = place >= Self.frameCount * inputCount
      (memory + place).initialize(to: isSilence ? 0 : Float.random(in: -0.1...0.1, using: &random))
    }
    inputs = .allocate(capacity: inputCount)
    silence = .allocate(capacity: inputCount)
    for index in 0..<inputCount {
      (inputs + index).initialize(to: UnsafePointer(memory + index * Self.frameCount))
      (silence + index).initialize(to: UnsafePointer(memory + inputCount * Self.frameCount))
    }
    output = .allocate(capacity: 2 * Self.frameCount)
    output.initialize(repeating: 0, count: 2 * Self.frameCount)
  }

  deinit {
    for memory in [memory, left, right, output] { memory.deallocate() }
    inputs.deallocate()
    silence.deallocate()
  }

  private func process(isSilent: Bool = false) {
    let hosted = hosting.hosted
    hosted.beginCycle(at: frame, frameCount: Self.frameCount)
    let sources = isSilent ? silence : inputs
    for index in 0..<inputCount {
      hosted.call.input(index)[0] = UnsafeMutablePointer(mutating: sources[index])
    }
    hosted.call.output(0)[0] = output
    hosted.call.output(0)[1] = output + Self.frameCount
    _ = hosted.render(at: frame, frameCount: Self.frameCount)
    hosted.endCycle()
    frame += FrameTime(Self.frameCount)
  }

  private func processBaseline() {
    baselineMix(
      inputs, left, right, Int32(inputCount), 0.5, output, output + Self.frameCount,
      Int32(Self.frameCount))
  }

  /// The greatest difference between both outputs: they must do the same work.
  func difference() -> Float {
    greatestDifference(
      in: output, count: 2 * Self.frameCount, ours: { process() }, baseline: { processBaseline() })
  }

  func measure(isSilent: Bool = false) -> Comparison {
    .measure(
      units: Self.frameCount, ours: { process(isSilent: isSilent) },
      baseline: { processBaseline() })
  }
}

// Reading at another speed against a plain C loop that does the same.

import CBaseline
import DSP
import Realtime

/// Processes one channel of noise with both.
final class VarispeedBenchmark {
  static let frameCount = 256

  private let speed: Double
  private var head = ReadHead()
  private var reader: VariableReader
  private let baseline: OpaquePointer
  private let input: UnsafeMutablePointer<Float>
  private let output: UnsafeMutablePointer<Float>
  private static let inputFrames = 4 * frameCount + 8

  init(speed: Double) {
    self.speed = speed
    reader = VariableReader(channelCount: 1, maximumFrames: Self.inputFrames)
    baseline = baselineReaderMake(Int32(Self.inputFrames))
    input = .allocate(capacity: Self.inputFrames)
    output = .allocate(capacity: Self.frameCount)
    for frame in 0..<Self.inputFrames {
      (input + frame).initialize(to: Float.random(in: -0.5...0.5))
    }
    output.initialize(repeating: 0, count: Self.frameCount)
  }

  deinit {
    baselineReaderFree(baseline)
    input.deallocate()
    output.deallocate()
  }

  private func process() {
    let delay = VariableReader.delayFrames
    reader.discard(before: head.frame - delay)
    let step = head.step(at: speed, rests: true)
    let last = head.frame + (head.fraction + step * (Self.frameCount - 1)) >> 32
    let taken = max(0, last + 1 - reader.end)
    Samples.copy(input, to: reader.destination(ofChannel: 0), count: taken)
    reader.take(taken)
    for frame in 0..<Self.frameCount {
      let aim = reader.aim(
        at: head.frame - delay, fraction: Double(head.fraction) * (1 / 4_294_967_296), speed: speed)
      output[frame] = reader.read(0, aim)
      head.advance(by: step)
    }
  }

  private func processBaseline() {
    _ = baselineReaderTake(baseline, speed, input, output, Int32(Self.frameCount))
  }

  /// The greatest difference between both outputs over 40 calls: they must do the same work.
  func difference() -> Float {
    greatestDifference(
      in: output, count: Self.frameCount, calls: 40, ours: { process() },
      baseline: { processBaseline() })
  }

  func measure() -> Comparison {
    .measure(units: Self.frameCount, ours: { process() }, baseline: { processBaseline() })
  }
}

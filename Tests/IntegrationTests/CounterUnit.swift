// A generator whose output shows every missing, doubled or late frame.

import Foundation
import Realtime
import UnitModel
import UnitRender

/// A kernel that counts frames on output 1, over and over from 1 to 2^23, with a jump if a frame
/// time repeats. Output 2 is 2 + sin, and so never 0.
struct CounterKernel: RenderKernel, ~Copyable {
  private var count: Float = 0
  private var nextFrame = FrameTime.min
  private var sine = 0.0
  private var cosine = 1.0
  private let stepSine: Double
  private let stepCosine: Double

  init(frequencyHertz: Double, sampleRate: Double) {
    let step = 2 * Double.pi * frequencyHertz / sampleRate
    stepSine = sin(step)
    stepCosine = cos(step)
  }

  /// The next count of output 1. The count stays far below the range in which neighbours are the
  /// same 32-bit float, however long a freewheeling server has run.
  @_noLocks @_noAllocation
  static func count(after count: Float) -> Float { count < 0x1p23 ? count + 1 : 1 }

  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {}

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    let counts = slice.output(channel: 0)
    let sines = slice.output(channel: 1)
    if slice.frame < nextFrame { count += 1000 }
    nextFrame = slice.frame + FrameTime(slice.frameCount)
    var frame = 0
    while frame < slice.frameCount {
      count = Self.count(after: count)
      counts[frame] = count
      sines[frame] = Float(2 + sine)
      let next = sine * stepCosine + cosine * stepSine
      cosine = cosine * stepCosine - sine * stepSine
      sine = next
      frame += 1
    }
  }

  @_noLocks @_noAllocation
  mutating func reset() {}
}

@_noLocks @_noAllocation
func counterRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(CounterKernel.self, context, call)
}

@_noLocks @_noAllocation
func counterReset(_ context: UnsafeMutableRawPointer) { resetKernel(CounterKernel.self, context) }

final class CounterUnit: AudioUnit, @unchecked Sendable {
  static let frequencyHertz = 1000.0

  init() throws {
    super.init(
      componentDescription: ComponentDescription(
        type: .generator, subtype: "coun", manufacturer: "Test"),
      outputBusses: BusArray(.output, [try Bus(.output)]),
      parameterTree: try ParameterTree(children: []))
  }

  override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    RenderResources(
      CounterKernel(
        frequencyHertz: Self.frequencyHertz, sampleRate: outputBusses[0].format.sampleRate),
      for: self, render: counterRender, reset: counterReset)
  }
}

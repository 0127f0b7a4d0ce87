// The channel of an effect that is written as one function.

import CRealtime
import Realtime
import UnitRender

/// The kernel of one channel whose samples a function makes.
///
/// A parameter moves to a value that is set in 20 ms, or along the ramp that is given. One of whole
/// numbers is set on its frame. The function gets a value for each frame.
struct FunctionChannel: ChannelKernel, ~Copyable {
  /// The most frames that the function gets at once.
  private static var mostFrames: Int { @_noLocks @_noAllocation get { 64 } }

  // Not after `function`: Swift 6.3's ThreadSanitizer takes the first property of the kernel for an
  // address that `process` modifies, and channels have the function in common.
  private let parameters: UnsafeMutablePointer<FrameValues>
  private let parameterCount: Int
  private let function: ChannelFunction
  /// The frames' values of each parameter.
  private let values: UnsafeMutablePointer<UnsafePointer<Float>>
  private let memory: UnsafeMutablePointer<Float>
  private let memoryCount: Int

  /// - Parameters:
  ///   - parameters: the first value of each parameter, and whether it is one of whole numbers.
  ///   - memoryCount: the number of samples that the function keeps from frame to frame.
  /// - Thread: [control]
  init(
    _ function: @escaping ChannelFunction, parameters: [(value: Float, isWhole: Bool)],
    memoryCount: Int, sampleRate: Double
  ) {
    self.function = function
    parameterCount = parameters.count
    self.parameters = .allocate(capacity: max(1, parameterCount))
    values = .allocate(capacity: max(1, parameterCount))
    for (index, parameter) in parameters.enumerated() {
      let frames = UnsafeMutablePointer<Float>.allocate(capacity: Self.mostFrames)
      frames.initialize(repeating: parameter.value, count: Self.mostFrames)
      (self.parameters + index).initialize(
        to: FrameValues(
          ramp: LinearRamp(value: Double(parameter.value), sampleRate: sampleRate),
          isWhole: parameter.isWhole, frames: frames, restingCount: Self.mostFrames))
      (values + index).initialize(to: UnsafePointer(frames))
    }
    self.memoryCount = memoryCount
    memory = .allocate(capacity: max(1, memoryCount))
    memory.initialize(repeating: 0, count: max(1, memoryCount))
  }

  deinit {
    for index in 0..<parameterCount { parameters[index].frames.deallocate() }
    parameters.deallocate()
    values.deallocate()
    memory.deallocate()
  }

  @_noLocks @_noAllocation
  mutating func answer(_ index: Int, _ request: ParameterRequest) -> Double? {
    parameters[index].answer(request)
  }

  @_noLocks @_noAllocation
  mutating func process(
    _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, frameCount: Int
  ) {
    var done = 0
    while done < frameCount {
      let count = min(Self.mostFrames, frameCount &- done)
      var index = 0
      while index < parameterCount {
        parameters[index].advance(by: count)
        index &+= 1
      }
      callChannel(
        function,
        ChannelCall(
          input: input + done, output: output + done, frameCount: count, parameters: values,
          memory: memory))
      done &+= count
    }
  }

  var isAtRest: Bool { @_noLocks @_noAllocation get { false } }

  @_noLocks @_noAllocation
  mutating func skip(_ frameCount: Int) {
    var index = 0
    while index < parameterCount {
      parameters[index].skip(frameCount)
      index &+= 1
    }
  }

  @_noLocks @_noAllocation
  mutating func reset() { Samples.clear(memory, count: memoryCount) }
}

/// A parameter's values, one for each frame of a stretch.
private struct FrameValues {
  var ramp: LinearRamp
  let isWhole: Bool
  let frames: UnsafeMutablePointer<Float>
  /// The number of `frames`, from the first on, that have the ramp's value at rest.
  var restingCount: Int

  @_noLocks @_noAllocation
  mutating func answer(_ request: ParameterRequest) -> Double? {
    guard let target = request.target else { return ramp.answer(request) }
    restingCount = 0
    if isWhole { ramp.set(immediately: target) } else { _ = ramp.answer(request) }
    return nil
  }

  /// Writes the values of the next frames, at most as many as there are `frames`.
  @_noLocks @_noAllocation
  mutating func advance(by count: Int) {
    if ramp.isRamping {
      restingCount = 0
      var frame = 0
      while frame < count {
        frames[frame] = Float(ramp.next())
        frame &+= 1
      }
    } else {
      while restingCount < count {
        frames[restingCount] = Float(ramp.value)
        restingCount &+= 1
      }
    }
  }

  @_noLocks @_noAllocation
  mutating func skip(_ count: Int) {
    if ramp.isRamping { restingCount = 0 }
    ramp.advance(by: UInt32(truncatingIfNeeded: count))
  }
}

@_noLocks @_noAllocation
func functionRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(ChannelKernels<FunctionChannel>.self, context, call)
}

@_noLocks @_noAllocation
func functionReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(ChannelKernels<FunctionChannel>.self, context)
}

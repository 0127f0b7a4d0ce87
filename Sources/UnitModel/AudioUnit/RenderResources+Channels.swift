// Render resources of an effect whose kernel processes one channel.

import UnitRender

extension RenderResources {
  /// Makes a kernel for each channel of a unit with one input and one output bus of the same
  /// format.
  ///
  /// The addresses of the unit's parameters count from 0 on, in the order of its tree.
  ///
  /// - Parameters:
  ///   - unit: Supplies the busses, the parameters and the maximum number of frames.
  ///   - render: An annotated function that calls `driveKernel(ChannelKernels<Channel>.self, …)`.
  ///   - reset: An annotated function that calls `resetKernel(ChannelKernels<Channel>.self, …)`.
  ///   - makeChannel: Makes the kernel of a channel, from 0 on.
  /// - Throws: `AudioUnitError.failed` if the addresses do not count from 0 on, or if the unit has
  ///   no output bus.
  ///
  /// AUv3: none; `AUEffectBase::NewKernel` of version 2.
  /// - Thread: [control]
  public convenience init<Channel: ChannelKernel & ~Copyable>(
    channelsOf unit: AudioUnit, render: @escaping RenderFunction, reset: @escaping ResetFunction,
    makeChannel: (Int) -> Channel
  ) throws(AudioUnitError) {
    let parameters = unit.parameterTree.allParameters
    for (index, parameter) in parameters.enumerated()
    where parameter.address != ParameterAddress(index) {
      throw .failed(
        "the parameter \(parameter.keyPath) has address \(parameter.address) in place of \(index)")
    }
    guard let output = unit.outputBusses.busses.first else {
      throw .failed("the unit has no output bus, whose channels have kernels")
    }
    self.init(
      ChannelKernels(
        channelCount: output.format.channelCount, values: unit.parameterValues,
        parameters: parameters.map(\.limits), makeChannel: makeChannel),
      for: unit, render: render, reset: reset)
  }

  /// Makes a channel kernel of a function for each channel of a unit with one input and one output
  /// bus of the same format.
  ///
  /// The function is called with at most 64 frames at once. It must handle them one after the
  /// other, so that its output does not depend on their number. Each frame has a value of each
  /// parameter: a set parameter moves there in 20 ms, and one of whole numbers is set on its frame.
  ///
  /// - Parameters:
  ///   - unit: Supplies the busses, the parameters and the maximum number of frames.
  ///   - memoryCount: The number of samples that a channel keeps from frame to frame. They are 0 at
  ///     first and after a reset. At most 16,777,216.
  ///   - process: An annotated function.
  /// - Throws: as the initializer with kernels; also for another `memoryCount`.
  ///
  /// AUv3: none.
  /// - Thread: [control]
  public convenience init(
    channelsOf unit: AudioUnit, memoryCount: Int = 0, process: @escaping ChannelFunction
  ) throws(AudioUnitError) {
    guard (0...(1 << 24)).contains(memoryCount) else {
      throw .failed("\(memoryCount) samples of memory a channel; accepted: 0 to \(1 << 24)")
    }
    let parameters = unit.parameterTree.allParameters.enumerated().map {
      (value: unit.parameterValues[$0], isWhole: $1.isWhole)
    }
    let sampleRate = unit.sampleRate
    try self.init(channelsOf: unit, render: functionRender, reset: functionReset) { _ in
      FunctionChannel(
        process, parameters: parameters, memoryCount: memoryCount, sampleRate: sampleRate)
    }
  }
}

extension Parameter {
  /// The parameter's range and ramp ability, for the render side.
  package var limits: ParameterLimits {
    ParameterLimits(range, ramps: flags.contains(.canRamp))
  }
}

// One kernel for each channel of a unit, driven as one.

import Realtime

/// The kernel of an effect whose channels are `ChannelKernel`s.
///
/// - A channel at rest is not called while its input is silent.
/// - A set value reads back as set, a ramping one as it sounds.
///
/// Generic functions carry no annotations: the compiler checks them where a unit's annotated render
/// function calls them.
public struct ChannelKernels<Channel: ChannelKernel & ~Copyable>: RenderKernel, ~Copyable {
  @usableFromInline let channels: UnsafeMutablePointer<Channel>
  @usableFromInline let channelCount: Int
  @usableFromInline var parameters: ParameterTable

  /// - Parameters:
  ///   - channelCount: channels of the input and of the output.
  ///   - values: the store for published values, in the order of `parameters`.
  ///   - parameters: the range of each parameter, by its address from 0 on.
  ///   - makeChannel: makes the kernel of a channel, counted from 0.
  /// - Thread: [control]
  public init(
    channelCount: Int, values: ParameterValues, parameters: [ParameterLimits],
    makeChannel: (Int) -> Channel
  ) {
    self.channelCount = channelCount
    channels = .allocate(capacity: channelCount)
    for index in 0..<channelCount { (channels + index).initialize(to: makeChannel(index)) }
    self.parameters = ParameterTable(parameters, values: values)
  }

  deinit {
    channels.deinitialize(count: channelCount)
    channels.deallocate()
    parameters.deallocate()
  }

  @inlinable
  public mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {
    guard let change = parameters.change(event) else { return }
    var channel = 0
    while channel < channelCount {
      _ = channels[channel].answer(change.index, change.request)
      channel &+= 1
    }
  }

  @inlinable
  public mutating func render(_ slice: RenderSlice) {
    var channel = 0
    while channel < channelCount {
      let input = slice.input(channel: channel)
      let output = slice.output(channel: channel)
      if channels[channel].isAtRest && Samples.isSilent(input, count: slice.frameCount) {
        channels[channel].skip(slice.frameCount)
        Samples.clear(output, count: slice.frameCount)
      } else {
        channels[channel].process(input, to: output, frameCount: slice.frameCount)
      }
      channel &+= 1
    }
  }

  @inlinable
  public mutating func skip(_ frameCount: Int) {
    var channel = 0
    while channel < channelCount {
      channels[channel].skip(frameCount)
      channel &+= 1
    }
  }

  @inlinable
  public mutating func end(_ call: RenderCallView) {
    if channelCount == 0 || !parameters.takeFollowed() { return }
    var index = 0
    while index < parameters.count {
      if let reading = channels[0].answer(index, .reading) {
        parameters.publish(Float(reading), ofParameter: index)
      }
      index &+= 1
    }
  }

  @inlinable
  public mutating func reset() {
    var channel = 0
    while channel < channelCount {
      channels[channel].reset()
      channel &+= 1
    }
  }
}

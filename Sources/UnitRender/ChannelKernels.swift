// A kernel for each channel of a unit, driven as one.

import Realtime

/// The kernel of an effect whose channels are `ChannelKernel`s.
///
/// - A bypass fades over 20 ms, and is as late as the channels; they forget what sounded when it
///   ends.
/// - A channel that rests is not called while its input is silent.
/// - A value that is set reads as it was set, one that ramps as it sounds.
///
/// Like all that is generic, its functions carry no annotations of their own: they are checked
/// where a unit's annotated render function drives them.
public struct ChannelKernels<Channel: ChannelKernel & ~Copyable>: RenderKernel, ~Copyable {
  @usableFromInline let channels: UnsafeMutablePointer<Channel>
  @usableFromInline let channelCount: Int
  @usableFromInline var parameters: ParameterTable
  /// One channel's output while a bypass fades.
  @usableFromInline let scratch: UnsafeMutablePointer<Float>
  /// The input while the channels are bypassed, as late as they are; nil where they are not.
  @usableFromInline let late: LateChannels?
  /// How long a bypass fades, and how far the effect is faded in: below 0 while late channels take
  /// in what comes before the fade.
  @usableFromInline let fadeFrames: Int
  @usableFromInline var fadedIn: Int
  @usableFromInline var isBypassed: Bool

  /// - Parameters:
  ///   - channelCount: channels of the input and of the output.
  ///   - sampleRate: frames per second.
  ///   - maximumFrames: the most frames of a call.
  ///   - values: where the values are published, in the order of `parameters`.
  ///   - parameters: what each parameter takes, by its address from 0 on.
  ///   - isBypassed: whether it starts bypassed, without a fade.
  ///   - latencyFrames: how many frames the channels' output is late.
  ///   - makeChannel: makes the kernel of a channel, from 0 on.
  /// - Thread: [control]
  public init(
    channelCount: Int, sampleRate: Double, maximumFrames: Int, values: ParameterValues,
    parameters: [ChannelParameter], isBypassed: Bool, latencyFrames: Int = 0,
    makeChannel: (Int) -> Channel
  ) {
    self.channelCount = channelCount
    self.isBypassed = isBypassed
    fadeFrames = max(1, Int((sampleRate * 0.020).rounded()))
    fadedIn = isBypassed ? 0 : fadeFrames
    channels = .allocate(capacity: channelCount)
    for index in 0..<channelCount { (channels + index).initialize(to: makeChannel(index)) }
    self.parameters = ParameterTable(parameters, values: values)
    late =
      latencyFrames > 0 ? LateChannels(count: channelCount, frames: latencyFrames) : nil
    scratch = .allocate(capacity: maximumFrames)
    scratch.initialize(repeating: 0, count: maximumFrames)
  }

  deinit {
    channels.deinitialize(count: channelCount)
    channels.deallocate()
    parameters.deallocate()
    scratch.deallocate()
    late?.deallocate()
  }

  @_noLocks @_noAllocation @inlinable
  public static func handlesBypass() -> Bool { true }

  @inlinable
  public mutating func begin(_ call: RenderCallView) {
    let bypass = call.call.pointee.flags & UInt32(kRenderCallBypass) != 0
    if bypass == isBypassed { return }
    isBypassed = bypass
    // After a bypass the channels know nothing of the signal: they start anew under the fade.
    if !bypass && fadedIn <= 0 {
      resetChannels()
      fadedIn = 0 &- (late?.frames ?? 0)
    }
  }

  @inlinable
  public mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {
    guard let change = parameters.change(event) else { return }
    var channel = 0
    while channel < channelCount {
      channels[channel].setParameter(
        change.index, to: change.value, rampFrames: change.rampFrames)
      channel &+= 1
    }
  }

  @inlinable
  public mutating func render(_ slice: RenderSlice) {
    var channel = 0
    while channel < channelCount {
      let input = slice.input(channel: channel)
      let output = slice.output(channel: channel)
      if isBypassed ? fadedIn > 0 : fadedIn < fadeFrames {
        channels[channel].process(input, to: scratch, frameCount: slice.frameCount)
        pass(input, to: output, frameCount: slice.frameCount, channel: channel)
        fade(to: output, frameCount: slice.frameCount)
      } else if isBypassed {
        channels[channel].skip(slice.frameCount)
        pass(input, to: output, frameCount: slice.frameCount, channel: channel)
      } else if channels[channel].isAtRest()
        && Samples.isSilent(input, count: slice.frameCount)
      {
        late?.take(input, count: slice.frameCount, channel: channel)
        channels[channel].skip(slice.frameCount)
        Samples.clear(output, count: slice.frameCount)
      } else {
        late?.take(input, count: slice.frameCount, channel: channel)
        channels[channel].process(input, to: output, frameCount: slice.frameCount)
      }
      channel &+= 1
    }
    fadedIn =
      isBypassed
      ? max(0, fadedIn &- slice.frameCount) : min(fadeFrames, fadedIn &+ slice.frameCount)
  }

  /// Passes a channel's input on, as late as what is made of it.
  @inlinable
  func pass(
    _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, frameCount: Int,
    channel: Int
  ) {
    if let late {
      late.pass(input, to: output, count: frameCount, channel: channel)
    } else {
      Samples.copy(input, to: output, count: frameCount)
    }
  }

  /// Fades between a channel's input, in `output`, and what is made of it. Past its end the fade
  /// gives what no fade would, to the bit, wherever the slice ends.
  @inlinable
  func fade(to output: UnsafeMutablePointer<Float>, frameCount: Int) {
    var place = fadedIn
    var frame = 0
    while frame < frameCount {
      place = isBypassed ? max(0, place &- 1) : min(fadeFrames, place &+ 1)
      let (dry, wet) = (output[frame], scratch[frame])
      output[frame] =
        place <= 0
        ? dry : place == fadeFrames ? wet : dry + (wet - dry) * Float(place) / Float(fadeFrames)
      frame &+= 1
    }
  }

  @inlinable
  public mutating func end(_ call: RenderCallView) {
    if channelCount == 0 || !parameters.takeFollowed() { return }
    var index = 0
    while index < parameters.count {
      if let reading = channels[0].takeReading(ofParameter: index) {
        parameters.publish(reading, ofParameter: index)
      }
      index &+= 1
    }
  }

  @inlinable
  public mutating func reset() {
    resetChannels()
    late?.clear()
  }

  @inlinable
  mutating func resetChannels() {
    var channel = 0
    while channel < channelCount {
      channels[channel].reset()
      channel &+= 1
    }
  }
}

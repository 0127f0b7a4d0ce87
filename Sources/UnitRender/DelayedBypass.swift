// What a bypassed unit's input waits in.

import Realtime

/// The input of a unit with latency, by channel, which is as late when the unit is bypassed as when
/// it is not: nothing that goes beside it has to move.
///
/// The memory belongs to who made it, and may serve hosts that follow each other.
package struct DelayedBypass: BitwiseCopyable {
  let lines: UnsafeMutablePointer<AlignmentDelay>
  let channelCount: Int
  /// The latency.
  let frames: Int

  package init(_ lines: UnsafeMutablePointer<AlignmentDelay>, channelCount: Int, frames: Int) {
    self.lines = lines
    self.channelCount = channelCount
    self.frames = frames
  }

  /// Takes the input of a call that is not bypassed.
  /// - Thread: [render], before the unit's call. - Complexity: O(channels · frames)
  @_noLocks @_noAllocation
  func take(_ call: RenderCallView, frameCount: Int) {
    // An open input may have no channels.
    let count = min(channelCount, call.input(0).channelCount)
    var channel = 0
    while channel < count {
      if let input = call.input(0)[channel] {
        lines[channel].process(input, to: nil, count: frameCount, frames: frames)
      }
      channel &+= 1
    }
  }

  /// Takes the input of a call, and puts that of before in the place of the first output bus; one
  /// channel in all of it.
  /// - Thread: [render], behind the unit's call. - Complexity: O(channels · frames)
  @_noLocks @_noAllocation
  func pass(_ call: RenderCallView, frameCount: Int) {
    let inputCount = call.input(0).channelCount
    let count = min(channelCount, inputCount)
    var channel = 0
    while channel < count {
      if let input = call.input(0)[channel], let output = call.output(0)[channel] {
        pass(input, to: output, count: frameCount, channel: channel)
      }
      channel &+= 1
    }
    guard inputCount == 1, count == 1, let passed = call.output(0)[0] else { return }
    while channel < call.output(0).channelCount {
      if let output = call.output(0)[channel] {
        Samples.copy(passed, to: output, count: frameCount)
      }
      channel &+= 1
    }
  }

  /// Takes the next frames of a channel, and gives those of before.
  @_noLocks @_noAllocation
  func pass(
    _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, count: Int,
    channel: Int
  ) {
    if channel >= channelCount { return Samples.clear(output, count: count) }
    lines[channel].process(input, to: output, count: count, frames: frames)
  }

  /// Forgets the input of before.
  @_noLocks @_noAllocation
  func clear() {
    var channel = 0
    while channel < channelCount {
      lines[channel].clear()
      channel &+= 1
    }
  }
}

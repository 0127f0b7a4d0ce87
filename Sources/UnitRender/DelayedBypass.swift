// The delay of a bypassed unit's input.

import Realtime

/// Delays the input of a unit with latency, by channel. The unit's path has the same latency with
/// and without bypass, so that parallel paths need no new alignment.
///
/// The memory belongs to its creator, and can serve successive hosts.
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

  /// Writes the input of a call that is not bypassed.
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

  /// Writes the input of a call, and replaces the first output bus by the delayed input. An input
  /// of one channel goes to all of the bus.
  /// - Thread: [render], after the unit's call. - Complexity: O(channels · frames)
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

  /// Writes the next frames of a channel, and reads the delayed ones.
  @_noLocks @_noAllocation
  func pass(
    _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, count: Int,
    channel: Int
  ) {
    if channel >= channelCount { return Samples.clear(output, count: count) }
    lines[channel].process(input, to: output, count: count, frames: frames)
  }

  /// Clears the delayed input.
  @_noLocks @_noAllocation
  func clear() {
    var channel = 0
    while channel < channelCount {
      lines[channel].clear()
      channel &+= 1
    }
  }
}

// What a bypassed unit's input waits in.

/// The input of a unit with latency, by channel, which is as late when the unit is bypassed as when
/// it is not: nothing that goes beside it has to move.
///
/// The memory belongs to who made it, and may serve hosts that follow each other.
package struct DelayedBypass: BitwiseCopyable {
  let lines: UnsafeMutablePointer<DelayLine>
  let channelCount: Int
  /// The latency.
  let frames: Int

  package init(_ lines: UnsafeMutablePointer<DelayLine>, channelCount: Int, frames: Int) {
    self.lines = lines
    self.channelCount = channelCount
    self.frames = frames
  }

  /// Takes the input of a call, and puts that of before in the place of the first output bus.
  ///
  /// - Parameter isHeard: whether the unit is bypassed; otherwise its outputs stay as they are.
  /// - Thread: [render], behind the unit's call. - Complexity: O(channels · frames)
  @_noLocks @_noAllocation
  func process(_ call: RenderCallView, frameCount: Int, isHeard: Bool) {
    // An open input may have none.
    let count = min(channelCount, call.input(0).channelCount)
    var channel = 0
    while channel < count {
      let line = lines + channel
      if let input = call.input(0)[channel] {
        line.pointee.process(
          input, to: isHeard ? call.output(0)[channel] : nil, count: frameCount, frames: frames)
      }
      channel &+= 1
    }
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

// The look-ahead of an effect.

/// A delay line for each channel of an effect with latency.
///
/// The value owns memory: `deallocate` frees it. Used by one render thread at a time.
package struct LateChannels: BitwiseCopyable {
  /// The effect's latency in frames.
  package let frames: Int
  private let lines: UnsafeMutablePointer<AlignmentDelay>
  private let count: Int

  /// - Thread: [control]
  package init(count: Int, frames: Int) {
    self.count = count
    self.frames = frames
    let capacity = AlignmentDelay.capacity(for: frames)
    lines = .allocate(capacity: max(1, count))
    for channel in 0..<count {
      (lines + channel).initialize(
        to: AlignmentDelay(frames: frames, capacity: capacity, rises: false))
    }
  }

  /// - Thread: [control], once no render thread uses it.
  package func deallocate() {
    for channel in 0..<count { lines[channel].deallocate() }
    lines.deallocate()
  }

  /// Writes the next frames of a channel and reads the delayed ones. Input and output may share
  /// memory.
  /// - Thread: [render]. - Complexity: O(count)
  @_noLocks @_noAllocation
  package func pass(
    _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, count: Int,
    channel: Int
  ) {
    lines[channel].process(input, to: output, count: count, frames: frames)
  }

  /// Clears the delayed frames.
  /// - Thread: [render]. - Complexity: O(channels · capacity of a line)
  @_noLocks @_noAllocation
  package func clear() {
    var channel = 0
    while channel < count {
      lines[channel].clear()
      channel &+= 1
    }
  }
}

// A delay of one audio channel that aligns it with a slower path.

import Realtime

/// A delay line of one channel. The delay can change during playback.
///
/// The value owns memory: `deallocate` frees it. Used by one render thread at a time.
package struct AlignmentDelay: BitwiseCopyable {
  private struct State: BitwiseCopyable {
    /// Frames written.
    var position = 0
    /// The current delay in frames, and the one before its last change.
    var frames: Int
    var formerFrames: Int
    /// Frames since the last change, at most `fadeFrames`.
    var faded: Int
    /// Frames of the fade-in that have been written, at most `fadeFrames`.
    var risen: Int
  }

  /// A ring of a power of two of samples.
  private let samples: UnsafeMutablePointer<Float>
  private let mask: Int
  private let state: UnsafeMutablePointer<State>

  /// Frames of the crossfade to a changed delay: a power of two, so that its steps are exact.
  package static var fadeFrames: Int { @_noLocks @_noAllocation get { 128 } }
  /// The most frames of one write.
  private static var chunkFrames: Int { @_noLocks @_noAllocation get { 2048 } }
  private static var leastCapacity: Int { 8192 }

  /// Returns the capacity of a line for a delay. Delays of equal capacity can follow each other in
  /// one line.
  ///
  /// - Parameter frames: 1 to `maximumFrames`.
  package static func capacity(for frames: Int) -> Int {
    var capacity = leastCapacity
    while capacity < frames + chunkFrames { capacity *= 2 }
    return capacity
  }

  /// The longest delay; 21 seconds at 48 kHz.
  package static var maximumFrames: Int { 1 << 20 }

  /// - Parameters:
  ///   - frames: the initial delay, in frames.
  ///   - capacity: a result of `capacity(for:)`.
  ///   - rises: whether the first frames written fade in within `fadeFrames`, because the signal
  ///     was playing before.
  /// - Thread: [control]
  package init(frames: Int, capacity: Int, rises: Bool) {
    samples = .allocate(capacity: capacity)
    samples.initialize(repeating: 0, count: capacity)
    mask = capacity - 1
    state = .allocate(capacity: 1)
    state.initialize(
      to: State(
        frames: frames, formerFrames: frames, faded: Self.fadeFrames,
        risen: rises ? 0 : Self.fadeFrames))
  }

  /// - Thread: [control], once no render thread uses it.
  package func deallocate() {
    samples.deallocate()
    state.deallocate()
  }

  /// Writes the next frames and reads those of `frames` ago. Crossfades if `frames` has changed.
  ///
  /// - Parameters:
  ///   - destination: `source` itself, or other memory; nil if the output is not needed.
  ///   - frames: from 0 to the delay the capacity was made for.
  /// - Thread: [render]. - Complexity: O(count)
  @_noLocks @_noAllocation
  package func process(
    _ source: UnsafePointer<Float>, to destination: UnsafeMutablePointer<Float>?, count: Int,
    frames: Int
  ) {
    if frames != state.pointee.frames {
      state.pointee.formerFrames = state.pointee.frames
      state.pointee.frames = frames
      state.pointee.faded = 0
    }
    var done = 0
    while done < count {
      let chunk = min(count &- done, Self.chunkFrames)
      write(source + done, count: chunk)
      if let destination { read(to: destination + done, count: chunk) }
      done &+= chunk
    }
  }

  /// Clears the delayed frames.
  /// - Thread: [render]. - Complexity: O(capacity)
  @_noLocks @_noAllocation
  package func clear() { Samples.clear(samples, count: mask &+ 1) }

  @_noLocks @_noAllocation
  private func write(_ source: UnsafePointer<Float>, count: Int) {
    var index = 0
    let first = state.pointee.position
    while index < count && state.pointee.risen < Self.fadeFrames {
      state.pointee.risen &+= 1
      samples[(first &+ index) & mask] = source[index] * Float(state.pointee.risen) * (1 / 128)
      index &+= 1
    }
    while index < count {
      let offset = (first &+ index) & mask
      let run = min(count &- index, mask &+ 1 &- offset)
      Samples.copy(source + index, to: samples + offset, count: run)
      index &+= run
    }
    state.pointee.position = first &+ count
  }

  @_noLocks @_noAllocation
  private func read(to destination: UnsafeMutablePointer<Float>, count: Int) {
    let end = state.pointee.position &- count
    let first = end &- state.pointee.frames
    let former = end &- state.pointee.formerFrames
    var index = 0
    while index < count && state.pointee.faded < Self.fadeFrames {
      state.pointee.faded &+= 1
      let share = Float(state.pointee.faded) * (1 / 128)
      destination[index] =
        samples[(first &+ index) & mask] * share
        + samples[(former &+ index) & mask] * (1 - share)
      index &+= 1
    }
    while index < count {
      let offset = (first &+ index) & mask
      let run = min(count &- index, mask &+ 1 &- offset)
      Samples.copy(samples + offset, to: destination + index, count: run)
      index &+= run
    }
  }
}

// A channel of audio that waits for a slower path.

import Realtime

/// The last frames of one channel. How long they wait may change while it plays.
///
/// The value owns memory: `deallocate` frees it. Used by one render thread at a time.
package struct AlignmentDelay: BitwiseCopyable {
  private struct State: BitwiseCopyable {
    /// Frames that were written.
    var position = 0
    /// How many frames what is read lies behind, and lay before that changed.
    var frames: Int
    var formerFrames: Int
    /// Frames since it changed, no more than `fadeFrames`.
    var faded: Int
    /// Frames of the beginning that have risen, no more than `fadeFrames`.
    var risen: Int
  }

  /// A power of two of samples.
  private let samples: UnsafeMutablePointer<Float>
  private let mask: Int
  private let state: UnsafeMutablePointer<State>

  /// Within how many frames a change is made: a power of two, so that its steps are exact.
  package static var fadeFrames: Int { @_noLocks @_noAllocation get { 128 } }
  /// The most frames of one write.
  private static var chunkFrames: Int { @_noLocks @_noAllocation get { 2048 } }
  private static var leastCapacity: Int { 8192 }

  /// The capacity of a line for a delay: delays of the same one can follow each other in one line.
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
  ///   - frames: how long its frames wait at first.
  ///   - capacity: of `capacity(for:)`.
  ///   - rises: whether what is written first comes within `fadeFrames`, because the signal has
  ///     been there before.
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

  /// - Thread: [control], once nobody renders with it.
  package func deallocate() {
    samples.deallocate()
    state.deallocate()
  }

  /// Takes the next frames and gives those of `frames` ago, over which it crossfades when that has
  /// changed.
  ///
  /// - Parameters:
  ///   - destination: `source` itself, or elsewhere; nil when nobody hears it.
  ///   - frames: 0 up to what the capacity is for.
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

  /// Forgets what waits.
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
      let place = (first &+ index) & mask
      let run = min(count &- index, mask &+ 1 &- place)
      Samples.copy(source + index, to: samples + place, count: run)
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
      let place = (first &+ index) & mask
      let run = min(count &- index, mask &+ 1 &- place)
      Samples.copy(samples + place, to: destination + index, count: run)
      index &+= run
    }
  }
}

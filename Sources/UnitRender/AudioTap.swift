// Audio of a unit, from the render thread to those who look at it.

import Realtime
import Synchronization

/// The latest frames of a unit's first output, of its first two channels. The value is a handle:
/// copies name the same memory.
@usableFromInline
package struct AudioTap: @unchecked Sendable, BitwiseCopyable {
  /// The number of frames that are kept: those of a look, and as many that come meanwhile.
  package static let capacity = 1 << 15
  /// The most frames of a look: at 192 kHz those of a twelfth of a second.
  package static let mostFrames = capacity / 2

  private struct State: ~Copyable {
    /// The number of frames that the render side has begun to write, and has written.
    let begun = Atomic<Int>(0)
    let written = Atomic<Int>(0)
    /// Two channels by frame, the first in the lower half.
    let frames: UnsafeMutablePointer<Atomic<UInt64>>

    init() {
      frames = .allocate(capacity: AudioTap.capacity)
      for index in 0..<AudioTap.capacity { (frames + index).initialize(to: Atomic(0)) }
    }

    deinit {
      frames.deinitialize(count: AudioTap.capacity)
      frames.deallocate()
    }
  }

  @usableFromInline let memory: UnsafeMutableRawPointer

  private var state: UnsafeMutablePointer<State> {
    @_noLocks @_noAllocation get { memory.assumingMemoryBound(to: State.self) }
  }

  /// - Thread: [control]
  init() {
    let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    state.initialize(to: State())
    memory = UnsafeMutableRawPointer(state)
  }

  /// Makes a handle of the memory at an address.
  @_noLocks @_noAllocation @inlinable
  init?(address: Int) {
    guard let memory = UnsafeMutableRawPointer(bitPattern: address) else { return nil }
    self.memory = memory
  }

  var address: Int { Int(bitPattern: memory) }

  /// - Thread: [control], once the render side is gone.
  func deallocate() {
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// Records frames of a bus that its unit has just rendered; nothing of a bus without channels.
  /// - Thread: [render] - Complexity: O(frames)
  @_noLocks @_noAllocation
  package func record(_ buffers: AudioBuffers, frameCount: Int) {
    let channels = buffers.channelCount
    guard channels > 0, let left = buffers[0] else { return }
    let right = channels > 1 ? buffers[1] ?? left : left
    let start = state.pointee.written.load(ordering: .relaxed)
    state.pointee.begun.store(start &+ frameCount, ordering: .relaxed)
    atomicMemoryFence(ordering: .releasing)
    let frames = state.pointee.frames
    var index = 0
    while index < frameCount {
      let pair = UInt64(left[index].bitPattern) | UInt64(right[index].bitPattern) << 32
      frames[(start &+ index) & (Self.capacity &- 1)].store(pair, ordering: .relaxed)
      index &+= 1
    }
    state.pointee.written.store(start &+ frameCount, ordering: .releasing)
  }

  /// The number of frames that were recorded.
  /// - Thread: [any]
  package var frameCount: Int { state.pointee.written.load(ordering: .acquiring) }

  /// Returns the frames before one.
  ///
  /// - Parameters:
  ///   - count: 1 to `mostFrames`.
  ///   - end: `frameCount` of a moment ago.
  /// - Returns: the frames of the first channel and of the second, for a mono output the same; nil
  ///   while there are fewer, or if the render side wrote over them meanwhile.
  /// - Thread: [control] - Complexity: O(count)
  package func frames(_ count: Int, before end: Int) -> (left: [Float], right: [Float])? {
    precondition((1...Self.mostFrames).contains(count))
    guard end >= count else { return nil }
    var (left, right) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
    for index in 0..<count {
      let place = (end - count + index) & (Self.capacity - 1)
      let pair = state.pointee.frames[place].load(ordering: .relaxed)
      left[index] = Float(bitPattern: UInt32(truncatingIfNeeded: pair))
      right[index] = Float(bitPattern: UInt32(truncatingIfNeeded: pair >> 32))
    }
    atomicMemoryFence(ordering: .acquiring)
    guard state.pointee.begun.load(ordering: .relaxed) - (end - count) <= Self.capacity else {
      return nil
    }
    return (left, right)
  }
}

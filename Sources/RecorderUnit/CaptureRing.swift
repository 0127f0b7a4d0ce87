// The queue of sound from the render thread to a reading thread.

import Glibc
import Realtime
import UnitModel

/// An occurrence between two captured frames.
struct CaptureMark: BitwiseCopyable, Equatable {
  /// Count of frames captured before it.
  let position: Int
  /// 0 begins a take, 1 ends it, 2 and 3 are gaps.
  let kind: Int
  /// The frame time of a beginning or an end, or the frame count of a gap.
  let value: Int64

  @_noLocks @_noAllocation
  init(position: Int, kind: Int, value: Int64) {
    self.position = position
    self.kind = kind
    self.value = value
  }

  static var begin: Int { @_noLocks @_noAllocation get { 0 } }
  static var end: Int { @_noLocks @_noAllocation get { 1 } }
  /// Frames lost because the ring was full.
  static var loss: Int { @_noLocks @_noAllocation get { 2 } }
  /// Frames that no cycle rendered.
  static var skip: Int { @_noLocks @_noAllocation get { 3 } }
}

/// A ring of frames with the marks between them.
///
/// The value is a handle: copies refer to the same memory. One thread writes, one reads.
struct CaptureRing: @unchecked Sendable, BitwiseCopyable {
  let channelCount: Int
  /// Capacity in frames; a power of two.
  let capacity: Int
  let marks = Ring<CaptureMark>(capacity: 1024)
  /// Planar: one channel after the other.
  private let memory: UnsafeMutablePointer<Float>
  /// Counts of frames written and read, and the last failed take.
  private let words = AtomicCounters(count: 3)

  /// Memory of its frames, in bytes.
  var byteCount: Int { capacity * channelCount * MemoryLayout<Float>.size }

  /// - Parameter frames: the minimum capacity.
  /// - Throws: `failed` if there is not enough memory.
  /// - Thread: [control]
  init(channelCount: Int, frames: Int) throws(AudioUnitError) {
    var capacity = 1024
    while capacity < frames { capacity <<= 1 }
    self.capacity = capacity
    self.channelCount = channelCount
    let bytes = capacity * channelCount * MemoryLayout<Float>.size
    guard let memory = malloc(bytes) else {
      marks.deallocate()
      words.deallocate()
      throw .failed("not enough memory for what waits for the disk: \(bytes >> 20) MB")
    }
    self.memory = memory.bindMemory(to: Float.self, capacity: capacity * channelCount)
    // Touches every page, so that the render thread causes no page fault.
    self.memory.initialize(repeating: 0, count: capacity * channelCount)
  }

  /// - Thread: [control], once neither side uses it any more.
  func deallocate() {
    free(memory)
    marks.deallocate()
    words.deallocate()
  }

  /// Count of frames written.
  var written: Int { @_noLocks @_noAllocation get { words[0] } }

  /// Count of frames read.
  var read: Int { words[1] }

  /// Number of the last take that cannot be written any more, from 1; 0 for none. The reading side
  /// sets it.
  var failedTake: Int {
    @_noLocks @_noAllocation get { words[2] }
    nonmutating set { words[2] = newValue }
  }

  var room: Int { @_noLocks @_noAllocation get { capacity &- (words[0] &- words[1]) } }

  /// Writes a part of a channel, for which the ring has room. Call `advance` after all channels.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  func write(_ samples: UnsafePointer<Float>, channel: Int, count: Int) {
    let offset = words[0] & (capacity &- 1)
    let own = memory + channel &* capacity
    let first = min(count, capacity &- offset)
    Samples.copy(samples, to: own + offset, count: first)
    Samples.copy(samples + first, to: own, count: count &- first)
  }

  /// - Thread: [render]
  @_noLocks @_noAllocation
  func advance(_ count: Int) { words[0] = words[0] &+ count }

  /// Passes contiguous written frames to `body`.
  ///
  /// - Parameter count: the maximum count.
  /// - Returns: the count passed.
  /// - Thread: the reading one
  func take<Failure: Error>(
    _ count: Int, _ body: ([UnsafePointer<Float>], Int) throws(Failure) -> Void
  ) throws(Failure) -> Int {
    let read = words[1]
    let offset = read & (capacity - 1)
    let piece = min(count, words[0] - read, capacity - offset)
    if piece < 1 { return 0 }
    defer { words[1] = read + piece }
    try body((0..<channelCount).map { UnsafePointer(memory + $0 * capacity + offset) }, piece)
    return piece
  }
}

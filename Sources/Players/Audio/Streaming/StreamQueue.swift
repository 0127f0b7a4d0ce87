// Exchange of a file's blocks between the disk and the render thread.

import Glibc
import Realtime

/// A slot that the render thread hands over to be filled, and gets back.
struct StreamedBlock: BitwiseCopyable {
  let slot: Int
  /// Index of the block to hold; -1 if it was no longer needed.
  let block: Int
  /// Count of jumps when it was requested.
  let jumps: Int

  @_noLocks @_noAllocation
  init(slot: Int, block: Int, jumps: Int) {
    self.slot = slot
    self.block = block
    self.jumps = jumps
  }
}

/// A sound in blocks: the first ones stay in memory, the others are loaded in time.
///
/// A slot belongs to one thread at a time: a request hands it to the disk thread, the answer hands
/// it back. The value is a handle: copies refer to the same memory.
struct StreamQueue: @unchecked Sendable, BitwiseCopyable {
  /// Frames of a block: a third of a second at 48 kHz.
  static var blockFrames: Int { @_noLocks @_noAllocation get { 16_384 } }
  /// Count of blocks loaded ahead: five seconds at 48 kHz.
  static var slotCount: Int { @_noLocks @_noAllocation get { 16 } }
  /// Count of blocks kept in memory, so that a sound or its loop begins at once.
  static var headBlocks: Int { @_noLocks @_noAllocation get { 2 } }

  let channelCount: Int
  let frameCount: Int
  let pass: PassLength
  let requests = Ring<StreamedBlock>(capacity: 16)
  let answers = Ring<StreamedBlock>(capacity: 16)
  private let memory: UnsafeMutablePointer<Float>
  private let words = AtomicCounters(count: 2)

  /// Count of samples in memory.
  static func capacity(channelCount: Int) -> Int {
    (headBlocks + slotCount) * blockFrames * channelCount
  }

  /// - Returns: nil if there is not enough memory.
  /// - Thread: [control]
  init?(channelCount: Int, frameCount: Int, pass: PassLength) {
    (self.channelCount, self.frameCount, self.pass) = (channelCount, frameCount, pass)
    let count = Self.capacity(channelCount: channelCount)
    guard let bytes = malloc(count * MemoryLayout<Float>.size) else {
      requests.deallocate()
      answers.deallocate()
      words.deallocate()
      return nil
    }
    memory = bytes.bindMemory(to: Float.self, capacity: count)
    // Touches every page, so that the render thread causes no page fault.
    memory.initialize(repeating: 0, count: count)
  }

  /// - Thread: [control], once neither side uses it any more.
  func deallocate() {
    requests.deallocate()
    answers.deallocate()
    free(memory)
    words.deallocate()
  }

  var blockCount: Int {
    @_noLocks @_noAllocation get { (frameCount &+ (Self.blockFrames &- 1)) >> 14 }
  }

  /// The first channel's samples of a block of the head. Further channels follow at distances of
  /// `blockFrames`.
  @_noLocks @_noAllocation
  func head(_ block: Int) -> UnsafeMutablePointer<Float> {
    memory + block &* Self.blockFrames &* channelCount
  }

  /// The first channel's samples of a slot, with channels as in `head`.
  @_noLocks @_noAllocation
  func slot(_ slot: Int) -> UnsafeMutablePointer<Float> { head(slot &+ Self.headBlocks) }

  /// Count of the render thread's jumps. Requests from before the last one are stale.
  var jumps: Int {
    @_noLocks @_noAllocation get { words[0] }
    @_noLocks @_noAllocation nonmutating set { words[0] = newValue }
  }

  /// Count of frames that were not loaded in time.
  /// - Thread: [any]
  var missedFrames: Int { words[1] }

  @_noLocks @_noAllocation
  func miss(_ frames: Int) { words.add(frames, to: 1) }
}

// The way of a file's samples from the disk to the render thread.

import Glibc
import Realtime

/// A place for a block, which the render thread hands over to have it filled, and gets back.
struct StreamedBlock: BitwiseCopyable {
  let slot: Int
  /// Which of the sound's blocks it is to hold; -1 for none, where nobody wanted it any more.
  let block: Int
  /// After how many jumps it was asked for.
  let jumps: Int

  @_noLocks @_noAllocation
  init(slot: Int, block: Int, jumps: Int) {
    self.slot = slot
    self.block = block
    self.jumps = jumps
  }
}

/// A sound in blocks: the first ones stay in memory, the others come in time.
///
/// A slot belongs to one thread at a time: it goes to the disk's with a request and comes back with
/// its answer. The value is a handle: copies name the same memory.
struct StreamQueue: @unchecked Sendable, BitwiseCopyable {
  /// In frames: a third of a second at 48 kHz.
  static var blockFrames: Int { @_noLocks @_noAllocation get { 16_384 } }
  /// Blocks that wait: five seconds at 48 kHz.
  static var slotCount: Int { @_noLocks @_noAllocation get { 16 } }
  /// Blocks that stay, so that a sound begins at once, and again in a loop.
  static var headBlocks: Int { @_noLocks @_noAllocation get { 2 } }

  let channelCount: Int
  let frameCount: Int
  let pass: PassLength
  let requests = Ring<StreamedBlock>(capacity: 16)
  let answers = Ring<StreamedBlock>(capacity: 16)
  private let memory: UnsafeMutablePointer<Float>
  private let words = AtomicCounters(count: 2)

  /// The samples that it holds.
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
    // Touched here, so that no page is missing on the render thread.
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

  /// The first channel's samples of a block of the head; each further channel's are `blockFrames`
  /// behind.
  @_noLocks @_noAllocation
  func head(_ block: Int) -> UnsafeMutablePointer<Float> {
    memory + block &* Self.blockFrames &* channelCount
  }

  /// Likewise those of a slot.
  @_noLocks @_noAllocation
  func slot(_ slot: Int) -> UnsafeMutablePointer<Float> { head(slot &+ Self.headBlocks) }

  /// How often the render thread has gone elsewhere: what was asked for before is not wanted.
  var jumps: Int {
    @_noLocks @_noAllocation get { words[0] }
    @_noLocks @_noAllocation nonmutating set { words[0] = newValue }
  }

  /// Frames that were to be played and had not come.
  /// - Thread: [any]
  var missedFrames: Int { words[1] }

  @_noLocks @_noAllocation
  func miss(_ frames: Int) { words.add(frames, to: 1) }
}

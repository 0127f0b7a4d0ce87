// A streamed sound, as the render thread has it.

import Realtime

/// Which blocks are here, which are on their way, and which are to come.
///
/// Used by the render thread alone, once it has it.
struct PlayedStream: BitwiseCopyable {
  let line: StreamQueue
  /// For each slot the block that it holds or is to hold, -1 for none.
  private let blocks: UnsafeMutablePointer<Int>
  /// For each slot whether the disk's thread has it.
  private let isAway: UnsafeMutablePointer<Bool>
  private var awayCount = 0
  /// The block that is played, for which the slots have been arranged.
  private var current = 0
  private var isLooping = false
  /// Frames until the end of what is here, while it fades out; of how many.
  private(set) var fallLeft = 0
  private(set) var fallFrames = 1
  /// Whether something is missing now.
  private(set) var isStarved = false
  /// How many frames may still be missing after a jump: nobody can have read them before.
  private var grace = 0

  /// Asks for the blocks behind the head.
  ///
  /// - Thread: [control]
  init(_ line: StreamQueue) {
    self.line = line
    blocks = .allocate(capacity: StreamQueue.slotCount)
    blocks.initialize(repeating: -1, count: StreamQueue.slotCount)
    isAway = .allocate(capacity: StreamQueue.slotCount)
    isAway.initialize(repeating: false, count: StreamQueue.slotCount)
    arrange()
  }

  /// - Thread: [control], once nobody plays it.
  func deallocate() {
    blocks.deallocate()
    isAway.deallocate()
  }

  /// Takes what has come, and asks for what comes next.
  ///
  /// - Parameter frame: the sound's, which is played next.
  @_noLocks @_noAllocation
  mutating func look(at frame: Int, loops: Bool) {
    var hasRoom = false
    while awayCount > 0, let answer = line.answers.tryReceive() {
      blocks[answer.slot] = answer.block
      isAway[answer.slot] = false
      awayCount &-= 1
      if answer.block < 0 { hasRoom = true }
    }
    let block = frame >> 14
    if block == current && loops == isLooping && !hasRoom { return }
    if block != current, block != following(current, loops) {
      line.jumps = line.jumps &+ 1
      isStarved = false
      fallLeft = 0
      grace = StreamQueue.blockFrames
    }
    current = block
    isLooping = loops
    arrange()
  }

  /// The block that is played after another; -1 for none.
  @_noLocks @_noAllocation
  private func following(_ block: Int, _ loops: Bool) -> Int {
    if block &+ 1 < line.blockCount { return block &+ 1 }
    return loops ? 0 : -1
  }

  /// Asks for what is to be played next and not here, as far as there is room for it.
  @_noLocks @_noAllocation
  private mutating func arrange() {
    var wanted = current
    var rest = StreamQueue.slotCount
    while rest > 0, wanted >= 0 {
      if wanted >= StreamQueue.headBlocks, slot(of: wanted) < 0 {
        let free = freeSlot()
        if free < 0 { return }
        let request = StreamedBlock(slot: free, block: wanted, jumps: line.jumps)
        if !line.requests.trySend(request) { return }
        blocks[free] = wanted
        isAway[free] = true
        awayCount &+= 1
      }
      wanted = following(wanted, isLooping)
      if wanted == current { return }
      rest &-= 1
    }
  }

  /// Where a block is or is to be; -1 for nowhere.
  @_noLocks @_noAllocation
  private func slot(of block: Int) -> Int {
    var slot = 0
    while slot < StreamQueue.slotCount {
      if blocks[slot] == block { return slot }
      slot &+= 1
    }
    return -1
  }

  /// A slot that is here and holds nothing that is wanted; -1 for none.
  @_noLocks @_noAllocation
  private func freeSlot() -> Int {
    var slot = 0
    while slot < StreamQueue.slotCount {
      if !isAway[slot], blocks[slot] < 0 || distance(to: blocks[slot]) >= StreamQueue.slotCount {
        return slot
      }
      slot &+= 1
    }
    return -1
  }

  /// How many blocks are played before another one.
  @_noLocks @_noAllocation
  private func distance(to block: Int) -> Int {
    if block >= current { return block &- current }
    return isLooping ? block &- current &+ line.blockCount : .max
  }

  /// The samples of the first channel from a frame on, and how many frames follow in one piece;
  /// those of further channels are `StreamQueue.blockFrames` behind each other. Nil for what has not
  /// come.
  @_noLocks @_noAllocation
  func piece(at frame: Int) -> (samples: UnsafePointer<Float>?, count: Int) {
    let block = frame >> 14
    let place = frame & (StreamQueue.blockFrames &- 1)
    let count = min(StreamQueue.blockFrames &- place, line.frameCount &- frame)
    if block < StreamQueue.headBlocks { return (UnsafePointer(line.head(block) + place), count) }
    let slot = slot(of: block)
    if slot < 0 || isAway[slot] { return (nil, count) }
    return (UnsafePointer(line.slot(slot) + place), count)
  }

  /// Whether the block after the one that is played is here, or none follows.
  private var hasNext: Bool {
    @_noLocks @_noAllocation get {
      let next = following(current, isLooping)
      if next < StreamQueue.headBlocks { return true }
      let slot = slot(of: next)
      return slot >= 0 && !isAway[slot]
    }
  }

  // MARK: What does not come in time

  /// Decides whether the end of what is here is to fade out, at the frame where that would begin.
  @_noLocks @_noAllocation
  mutating func mayFall(_ frames: Int) {
    if fallLeft > 0 || hasNext { return }
    fallLeft = frames
    fallFrames = frames
  }

  /// So many frames have been played, or were to be.
  ///
  /// - Returns: whether what follows is to fade in.
  @_noLocks @_noAllocation
  mutating func played(_ frames: Int, areMissing: Bool) -> Bool {
    let comesBack = isStarved && !areMissing
    let excused = areMissing ? min(frames, grace) : grace
    grace &-= excused
    if areMissing, frames > excused { line.miss(frames &- excused) }
    isStarved = areMissing
    return comesBack
  }

  @_noLocks @_noAllocation
  mutating func fell(_ frames: Int) { fallLeft = max(0, fallLeft &- frames) }
}

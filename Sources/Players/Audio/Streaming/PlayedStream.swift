// A streamed sound on the render thread.

import Realtime

/// State of a sound's blocks: loaded, requested, or still to request.
///
/// Used by the render thread only, once it has it.
struct PlayedStream: BitwiseCopyable {
  let line: StreamQueue
  /// The block that each slot holds or awaits, -1 for none.
  private let blocks: UnsafeMutablePointer<Int>
  /// Whether each slot is with the disk thread.
  private let isAway: UnsafeMutablePointer<Bool>
  private var awayCount = 0
  /// The playing block, for which the slots are arranged.
  private var current = 0
  private var isLooping = false
  /// Remaining frames of the fade-out before missing samples, and its length.
  private(set) var fallLeft = 0
  private(set) var fallFrames = 1
  /// Whether samples are missing now.
  private(set) var isStarved = false
  /// Frames that may be missing after a jump without being counted, because they could not be read
  /// before.
  private var grace = 0

  /// Requests the blocks after the head.
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

  /// - Thread: [control], once nothing plays it.
  func deallocate() {
    blocks.deallocate()
    isAway.deallocate()
  }

  /// Receives loaded blocks from the disk thread and requests the next ones.
  ///
  /// - Parameter frame: the sound's next frame to play.
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

  /// The block played after another; -1 for none.
  @_noLocks @_noAllocation
  private func following(_ block: Int, _ loops: Bool) -> Int {
    if block &+ 1 < line.blockCount { return block &+ 1 }
    return loops ? 0 : -1
  }

  /// Requests the next blocks that are not loaded, as far as slots are free.
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

  /// The slot that holds or awaits a block; -1 for none.
  @_noLocks @_noAllocation
  private func slot(of block: Int) -> Int {
    var slot = 0
    while slot < StreamQueue.slotCount {
      if blocks[slot] == block { return slot }
      slot &+= 1
    }
    return -1
  }

  /// A slot with the render thread whose block is not needed; -1 for none.
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

  /// Count of blocks until another one is played.
  @_noLocks @_noAllocation
  private func distance(to block: Int) -> Int {
    if block >= current { return block &- current }
    return isLooping ? block &- current &+ line.blockCount : .max
  }

  /// The first channel's samples from a frame on, and the count of contiguous frames. Further
  /// channels follow at distances of `StreamQueue.blockFrames`. Samples are nil if not loaded.
  @_noLocks @_noAllocation
  func piece(at frame: Int) -> (samples: UnsafePointer<Float>?, count: Int) {
    let block = frame >> 14
    let offset = frame & (StreamQueue.blockFrames &- 1)
    let count = min(StreamQueue.blockFrames &- offset, line.frameCount &- frame)
    if block < StreamQueue.headBlocks { return (UnsafePointer(line.head(block) + offset), count) }
    let slot = slot(of: block)
    if slot < 0 || isAway[slot] { return (nil, count) }
    return (UnsafePointer(line.slot(slot) + offset), count)
  }

  /// Whether the block after the playing one is loaded, or none follows.
  private var hasNext: Bool {
    @_noLocks @_noAllocation get {
      let next = following(current, isLooping)
      if next < StreamQueue.headBlocks { return true }
      let slot = slot(of: next)
      return slot >= 0 && !isAway[slot]
    }
  }

  // MARK: Missing samples

  /// Starts a fade-out of the loaded frames if the next block is missing.
  @_noLocks @_noAllocation
  mutating func mayFall(_ frames: Int) {
    if fallLeft > 0 || hasNext { return }
    fallLeft = frames
    fallFrames = frames
  }

  /// Counts played or missing frames.
  ///
  /// - Returns: whether the next frames are to fade in.
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

// Blocks on the render thread: the one being collected and the one being played.

import Realtime
import UnitRender

/// State of the blocks: collected, at the worker, returned or played. All begin on the same frames.
///
/// Used by the render thread only, once it has it.
struct StretchBlocks: BitwiseCopyable {
  private enum Owner {
    static var nobody: Int8 { @_noLocks @_noAllocation get { 0 } }
    static var away: Int8 { @_noLocks @_noAllocation get { 1 } }
    static var here: Int8 { @_noLocks @_noAllocation get { 2 } }
  }

  private let line: StretchQueue
  private let words: AtomicCounters
  private let owners: UnsafeMutablePointer<Int8>
  /// Count of blocks from collecting a block to playing it.
  private let delayBlocks: Int
  /// Frames since the start of the current block, and its number.
  private var position = 0
  private var number = 0
  /// The slot being collected, −1 for none, and whether frames were lost before it.
  private var collected = -1
  private var hasGap = false
  /// The slots played now and next, −1 for silence.
  private var heard = -1
  private var next = -1
  private var hasLooked = false
  /// Whether the block fades in, or out at its end.
  private var rises = false
  private var falls = false

  /// Length of fades around missing blocks, in frames.
  private static var fadeFrames: Int { @_noLocks @_noAllocation get { 128 } }
  private static var fallStart: Int {
    @_noLocks @_noAllocation get { StretchTiming.blockFrames &- fadeFrames }
  }

  /// - Thread: [control]
  init(_ line: StretchQueue, _ timing: StretchTiming, _ words: AtomicCounters) {
    self.line = line
    self.words = words
    delayBlocks = timing.roomBlocks + 1
    owners = .allocate(capacity: line.slotCount)
    owners.initialize(repeating: 0, count: line.slotCount)
  }

  /// - Thread: [control], once nothing renders with it.
  func deallocate() { owners.deallocate() }

  // MARK: Blocks

  /// Begins a block at its boundary, and looks for the next one ahead of time.
  ///
  /// - Parameter frames: the count of frames to render.
  /// - Returns: the count that can be rendered in one piece.
  @_noLocks @_noAllocation
  mutating func prepare(_ frames: Int, isOffline: Bool) -> Int {
    if position == 0 { begin(isOffline: isOffline) }
    if position >= Self.fallStart && !hasLooked { lookAhead(isOffline: isOffline) }
    let end = position < Self.fallStart ? Self.fallStart : StretchTiming.blockFrames
    return min(frames, end &- position)
  }

  @_noLocks @_noAllocation
  private mutating func begin(isOffline: Bool) {
    words[StretchCount.isLive] = isOffline ? 0 : 1
    let due = number &- delayBlocks
    let wasMissing = heard < 0
    if heard >= 0 { owners[heard] = Owner.nobody }
    heard = next
    next = -1
    hasLooked = false
    rises = heard >= 0 && wasMissing && due > 0
    falls = false
    if heard < 0 && due >= 0 { words.add(StretchTiming.blockFrames, to: StretchCount.missedFrames) }
    receive()
    collected = freeSlot()
    while isOffline && collected < 0 {
      Vouched.waitOffline()
      receive()
      collected = freeSlot()
    }
    if collected < 0 { hasGap = true }
  }

  @_noLocks @_noAllocation
  private mutating func lookAhead(isOffline: Bool) {
    hasLooked = true
    let due = number &+ 1 &- delayBlocks
    if due < 0 { return }
    receive()
    next = slot(of: due)
    while isOffline && next < 0 && isAway(due) {
      Vouched.waitOffline()
      receive()
      next = slot(of: due)
    }
    falls = heard >= 0 && next < 0
  }

  /// Receives finished blocks. Frees the slots of blocks that are late or of an earlier epoch.
  @_noLocks @_noAllocation
  private mutating func receive() {
    while let index = line.answers.tryReceive() {
      let head = line[index].head.pointee
      let isWanted = head.epoch == line.epoch && head.sequence > number &- delayBlocks
      owners[index] = isWanted ? Owner.here : Owner.nobody
    }
  }

  @_noLocks @_noAllocation
  private func slot(of sequence: Int) -> Int {
    var index = 0
    while index < line.slotCount {
      if owners[index] == Owner.here, line[index].head.pointee.sequence == sequence { return index }
      index &+= 1
    }
    return -1
  }

  @_noLocks @_noAllocation
  private func isAway(_ sequence: Int) -> Bool {
    var index = 0
    while index < line.slotCount {
      let head = line[index].head.pointee
      if owners[index] == Owner.away, head.sequence == sequence, head.epoch == line.epoch {
        return true
      }
      index &+= 1
    }
    return false
  }

  @_noLocks @_noAllocation
  private func freeSlot() -> Int {
    var index = 0
    while index < line.slotCount {
      if owners[index] == Owner.nobody { return index }
      index &+= 1
    }
    return -1
  }

  // MARK: Frames

  /// Collects input of a channel; `start` is the count of frames taken before it.
  @_noLocks @_noAllocation
  func collect(_ channel: Int, _ samples: UnsafePointer<Float>, from start: Int, count: Int) {
    if collected < 0 { return }
    let offset = position == 0 ? 0 : line[collected].head.pointee.count
    Samples.copy(
      samples, to: line[collected].input(ofChannel: channel) + offset,
      count: max(0, min(count, StretchSlot.inputFrames &- offset)))
  }

  /// Counts frames taken of all channels.
  @_noLocks @_noAllocation
  func took(from start: Int, _ count: Int) {
    if collected < 0 { return }
    let head = line[collected].head
    if position == 0 {
      head.pointee = StretchHead(
        epoch: line.epoch, sequence: number, start: start, hasGap: hasGap)
    }
    head.pointee.count = min(head.pointee.count &+ count, StretchSlot.inputFrames)
  }

  @_noLocks @_noAllocation
  func collect(_ frame: StretchFrame, at offset: Int) {
    if collected >= 0 { line[collected].frames[position &+ offset] = frame }
  }

  /// Plays frames of a channel.
  @_noLocks @_noAllocation
  func play(_ channel: Int, to output: UnsafeMutablePointer<Float>, count: Int) {
    if heard < 0 { return Samples.clear(output, count: count) }
    Samples.copy(
      line[heard].output(ofChannel: channel) + position, to: output, count: count)
    var index = 0
    while index < count && (rises || falls) {
      let blockFrame = position &+ index
      if rises && blockFrame < Self.fadeFrames { output[index] *= Float(blockFrame) * (1 / 128) }
      if falls {
        output[index] *= Float(StretchTiming.blockFrames &- 1 &- blockFrame) * (1 / 128)
      }
      index &+= 1
    }
  }

  /// Advances the position, and sends a full block to the worker.
  @_noLocks @_noAllocation
  mutating func advance(by count: Int) {
    position &+= count
    if position < StretchTiming.blockFrames { return }
    if collected >= 0 {
      owners[collected] = Owner.away
      // The ring has room for all slots.
      _ = line.requests.trySend(collected)
      hasGap = false
    }
    collected = -1
    position = 0
    number &+= 1
  }

  /// Discards the playing sound and all blocks at the worker.
  @_noLocks @_noAllocation
  mutating func reset() {
    line.epoch = line.epoch &+ 1
    var index = 0
    while index < line.slotCount {
      if owners[index] == Owner.here { owners[index] = Owner.nobody }
      index &+= 1
    }
    (position, number) = (0, 0)
    (collected, heard, next) = (-1, -1, -1)
    (hasLooked, hasGap, rises, falls) = (false, false, false, false)
  }
}

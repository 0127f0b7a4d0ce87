// Exchange of blocks between the render thread and the stretching thread.

import Realtime
import UnitRender

/// Source of an output frame.
struct StretchFrame: BitwiseCopyable {
  /// The last input frame read for it, counted from the first one taken. The frame heard lies
  /// `StretchTiming.leadFrames` before it.
  var newest = 0
  /// Distance after that frame, in 2⁻³² of a frame.
  var fraction = 0
  var cents: Float = 0
  /// Whether the speed allows playing the input itself.
  var isPlain = false

  @_noLocks @_noAllocation
  init() {}

  @_noLocks @_noAllocation
  init(newest: Int, fraction: Int, cents: Float, isPlain: Bool) {
    self.newest = newest
    self.fraction = fraction
    self.cents = cents
    self.isPlain = isPlain
  }
}

/// Header of a block.
struct StretchHead: BitwiseCopyable {
  var epoch = 0
  /// Number in the epoch, from 0.
  var sequence = 0
  /// The first input frame of the block, and its count of input frames.
  var start = 0
  var count = 0
  /// Whether frames are missing before it.
  var hasGap = false

  @_noLocks @_noAllocation
  init() {}

  @_noLocks @_noAllocation
  init(epoch: Int, sequence: Int, start: Int, hasGap: Bool) {
    self.epoch = epoch
    self.sequence = sequence
    self.start = start
    self.hasGap = hasGap
  }
}

/// Memory of a block: its input with the sources of output frames, then the output. It belongs to
/// one thread at a time.
struct StretchSlot: BitwiseCopyable {
  let head: UnsafeMutablePointer<StretchHead>
  let frames: UnsafeMutablePointer<StretchFrame>
  let input: UnsafeMutablePointer<Float>
  let output: UnsafeMutablePointer<Float>

  /// Capacity of the input, in frames.
  static var inputFrames: Int {
    @_noLocks @_noAllocation get { 4 &* StretchTiming.blockFrames &+ 8 }
  }

  @_noLocks @_noAllocation
  func input(ofChannel channel: Int) -> UnsafeMutablePointer<Float> {
    input + channel &* Self.inputFrames
  }

  @_noLocks @_noAllocation
  func output(ofChannel channel: Int) -> UnsafeMutablePointer<Float> {
    output + channel &* StretchTiming.blockFrames
  }
}

/// Slots, and the rings that pass them to the stretching thread and back in the same order. The
/// value is a handle: copies refer to the same memory.
struct StretchQueue: @unchecked Sendable, BitwiseCopyable {
  let slotCount: Int
  let channelCount: Int
  let requests: Ring<Int>
  let answers: Ring<Int>
  private let slots: UnsafeMutablePointer<StretchSlot>
  private let words = AtomicCounters(count: 2)

  /// - Thread: [control]
  init(slotCount: Int, channelCount: Int) {
    self.slotCount = slotCount
    self.channelCount = channelCount
    requests = Ring(capacity: slotCount)
    answers = Ring(capacity: slotCount)
    slots = .allocate(capacity: slotCount)
    // Touches every page, so that the render thread causes no page fault.
    func memory<Element>(_ element: Element, _ count: Int) -> UnsafeMutablePointer<Element> {
      let memory = UnsafeMutablePointer<Element>.allocate(capacity: count)
      memory.initialize(repeating: element, count: count)
      return memory
    }
    for index in 0..<slotCount {
      (slots + index).initialize(
        to: StretchSlot(
          head: memory(StretchHead(), 1),
          frames: memory(StretchFrame(), StretchTiming.blockFrames),
          input: memory(0, StretchSlot.inputFrames * channelCount),
          output: memory(0, StretchTiming.blockFrames * channelCount)))
    }
  }

  /// - Thread: [control], once neither side uses it any more.
  func deallocate() {
    for index in 0..<slotCount {
      slots[index].head.deallocate()
      slots[index].frames.deallocate()
      slots[index].input.deallocate()
      slots[index].output.deallocate()
    }
    slots.deallocate()
    requests.deallocate()
    answers.deallocate()
    words.deallocate()
  }

  @_noLocks @_noAllocation
  subscript(index: Int) -> StretchSlot { slots[index] }

  /// The current epoch; blocks of other epochs are dropped.
  var epoch: Int {
    @_noLocks @_noAllocation get { words[0] }
    @_noLocks @_noAllocation nonmutating set { words[0] = newValue }
  }
}

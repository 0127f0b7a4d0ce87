// The way of blocks between the render thread and the one that stretches.

import Realtime
import UnitRender

/// How a frame of the output comes about.
struct StretchFrame: BitwiseCopyable {
  /// The frame of the input that is read last for it, counted from the first that was ever taken;
  /// what is heard lies `StretchTiming.leadFrames` before.
  var newest = 0
  /// How far it is behind that frame, in 2⁻³².
  var fraction = 0
  var cents: Float = 0
  /// Whether the input itself is meant, as far as the speed says.
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

/// What a block is.
struct StretchHead: BitwiseCopyable {
  var epoch = 0
  /// Counted from the start of the epoch.
  var sequence = 0
  /// The first frame of the input that it brings, and how many.
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

/// A place for a block: its input with how it is to be heard, and then the output that it made
/// possible. It belongs to one thread at a time.
struct StretchSlot: BitwiseCopyable {
  let head: UnsafeMutablePointer<StretchHead>
  let frames: UnsafeMutablePointer<StretchFrame>
  let input: UnsafeMutablePointer<Float>
  let output: UnsafeMutablePointer<Float>

  /// Frames of the input that fit in.
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

/// Slots, and the rings by which they go to the thread that stretches and come back in the same
/// order. The value is a handle: copies name the same memory.
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
    // Written here, so that no page is missing on the render thread.
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

  /// What was collected in another epoch is not wanted any more.
  var epoch: Int {
    @_noLocks @_noAllocation get { words[0] }
    @_noLocks @_noAllocation nonmutating set { words[0] = newValue }
  }
}

// The lowest of the last gains, and a smooth path to it.

/// The mean, over a window, of the lowest gains in windows of the same length. It moves along
/// straight lines, and reaches the gain that a frame needs by the time the frame leaves the window.
/// If needed gains arrive some frames late, the mean is over as many frames fewer.
///
/// Gains are added as whole numbers of 2⁻⁴⁰, so that no rounding accumulates.
struct LowestGain: ~Copyable {
  /// Length of the window in frames.
  let frames: Int
  /// A ring of the gains that may still become the lowest, each lower than those after it, with
  /// their frames.
  private let gains: UnsafeMutablePointer<Int>
  private let places: UnsafeMutablePointer<Int>
  /// The lowest gains of the last frames.
  private let lowest: UnsafeMutablePointer<Int>
  var state: State

  /// The changing state. Loops use a local copy, which stays in the processor's registers.
  struct State: BitwiseCopyable {
    /// Start and count of the gains that may become the lowest.
    fileprivate var first = 0
    fileprivate var count = 0
    /// The next index in the lowest gains of the last frames.
    fileprivate var cursor = 0
    /// Sums of all lowest gains, and of those in the mean.
    fileprivate var sum: Int
    fileprivate var meanSum: Int
    /// Frames of the mean.
    fileprivate var frames: Int
    /// The factor from the sum to the mean.
    fileprivate var scale: Double
    fileprivate var frame = 0

    @_noLocks @_noAllocation
    fileprivate init(frames: Int, mean: Int) {
      sum = frames &* LowestGain.one
      meanSum = mean &* LowestGain.one
      self.frames = mean
      scale = 1 / Double(meanSum)
    }
  }

  /// - Parameter frames: 1 to 2²⁰.
  /// - Thread: [control]
  init(frames: Int) {
    self.frames = frames
    gains = .allocate(capacity: frames)
    gains.initialize(repeating: Self.one, count: frames)
    places = .allocate(capacity: frames)
    places.initialize(repeating: 0, count: frames)
    lowest = .allocate(capacity: frames)
    lowest.initialize(repeating: Self.one, count: frames)
    state = State(frames: frames, mean: frames)
  }

  deinit {
    gains.deallocate()
    places.deallocate()
    lowest.deallocate()
  }

  fileprivate static var one: Int { @_noLocks @_noAllocation get { 1 << 40 } }

  /// Whether every gain of the window is 1, so that further gains of 1 change nothing.
  var isOpen: Bool { @_noLocks @_noAllocation get { state.sum == frames &* Self.one } }

  /// Resets all gains of the window to 1.
  /// - Complexity: O(frames)
  @_noLocks @_noAllocation
  mutating func reset() {
    state = State(frames: frames, mean: state.frames)
    var index = 0
    while index < frames {
      lowest[index] = Self.one
      index &+= 1
    }
  }

  /// Sets the delay of the needed gains, in frames.
  /// - Complexity: O(frames)
  @_noLocks @_noAllocation
  mutating func setLate(frames late: Int) {
    let mean = max(1, frames &- late)
    var (sum, age) = (0, 1)
    while age <= mean {
      let place = state.cursor &- age
      sum &+= lowest[place < 0 ? place &+ frames : place]
      age &+= 1
    }
    state.frames = mean
    state.meanSum = sum
    state.scale = 1 / Double(mean &* Self.one)
  }

  /// Takes a gain, 0 to 1, and returns the mean.
  /// - Complexity: O(1) on average, O(frames) at worst.
  @_noLocks @_noAllocation @inline(__always)
  func next(_ gain: Double, _ state: inout State) -> Double {
    if frames == 1 { return gain }
    let whole = Int(saturating: gain * 0x1p40)
    while state.count > 0
      && gains[wrapped(state.first &+ state.count &- 1)] >= whole
    {
      state.count &-= 1
    }
    if state.count > 0 && places[state.first] &+ frames <= state.frame {
      state.first = wrapped(state.first &+ 1)
      state.count &-= 1
    }
    let last = wrapped(state.first &+ state.count)
    gains[last] = whole
    places[last] = state.frame
    state.count &+= 1
    state.frame &+= 1
    let least = gains[state.first]
    let leaving = state.cursor &- state.frames
    state.meanSum =
      state.meanSum &+ least &- lowest[leaving < 0 ? leaving &+ frames : leaving]
    state.sum = state.sum &+ least &- lowest[state.cursor]
    lowest[state.cursor] = least
    state.cursor = wrapped(state.cursor &+ 1)
    return Double(state.meanSum) * state.scale
  }

  @_noLocks @_noAllocation @inline(__always)
  private func wrapped(_ place: Int) -> Int { place < frames ? place : place &- frames }
}

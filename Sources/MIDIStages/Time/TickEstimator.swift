// The even line through ticks that arrive unevenly.

import Realtime

/// The least-squares line through the frames of the latest ticks.
///
/// - Two ticks give a first interval. The line then includes up to 192 ticks, so that the jitter of
///   single ticks averages out. (Uniform jitter of ±1 ms leaves, over 192 ticks, a standard
///   deviation of 0.0008 ms in the interval: σ · √(12 / n³), with σ = 1 ms / √3.)
/// - The line predicts each tick. If two in a row miss the prediction on the same side, by more
///   than three times the usual miss, the tempo has changed. The line then restarts from the last
///   three ticks.
/// - A gap of 2 to 8 intervals means lost ticks; if the next gap is as long, it was a slower tempo.
struct TickEstimator: BitwiseCopyable {
  private static var window: Int { @_noLocks @_noAllocation get { 192 } }
  private static var longestGap: Int { @_noLocks @_noAllocation get { 8 } }
  /// The number of ticks from which on a line can distinguish a gap from a new tempo.
  private static var leastTicksForGaps: Int { @_noLocks @_noAllocation get { 12 } }

  private var frames = InlineArray<192, FrameTime>(repeating: 0)
  private var next = 0
  /// The number of ticks in the line.
  private(set) var count = 0
  /// Sums over the ticks i = 0 … count − 1, oldest first, of y and i · y; y is the frame after
  /// `base`.
  private var base: FrameTime = 0
  private var sum: Int64 = 0
  private var weightedSum: Int64 = 0
  /// The mean miss of the predictions, in frames.
  private var usualMiss = 0.0
  private var lastMiss = 0.0
  /// The distance of the last tick from the one before, in intervals.
  private var lastGap = 1

  /// The number of frames from tick to tick by the line; 0 before the second tick.
  private(set) var interval = 0.0
  /// The delay of the latest tick against the line, in frames.
  private(set) var lateness = 0.0

  /// - Thread: [control]
  init() {}

  /// The frame at which the latest tick arrived.
  var latest: FrameTime { @_noLocks @_noAllocation get { tick(back: 0) } }

  /// Restarts the estimate; the sender's usual miss is kept.
  @_noLocks @_noAllocation
  mutating func reset() {
    clear()
    lastMiss = 0
    lastGap = 1
    interval = 0
    lateness = 0
  }

  /// Takes in a tick.
  /// - Returns: the number of ticks it counts for: 1; more with lost ticks before it; fewer if
  ///   earlier ones were wrongly taken for lost.
  @_noLocks @_noAllocation
  mutating func add(_ frame: FrameTime) -> Int {
    let gap = gap(to: frame)
    if gap > 1 && gap == lastGap {
      let first = tick(back: gap)
      let second = latest
      reset()
      append(first)
      append(second)
      append(frame)
      fit()
      return 2 - gap
    }
    lastGap = gap
    let from = latest
    var step = 1
    while step < gap {
      append(from &+ (frame &- from) * FrameTime(step) / FrameTime(gap))
      step &+= 1
    }
    let isOut = gap == 1 && isOut(frame)
    append(frame)
    if isOut { keepLatest(3) }
    fit()
    return gap
  }

  /// Whether a tick is the second one that shows a new tempo.
  @_noLocks @_noAllocation
  private mutating func isOut(_ frame: FrameTime) -> Bool {
    if count < 2 { return false }
    let miss = Double(frame &- latest) + lateness - interval
    let size = abs(miss)
    let limit = max(2, 3 * usualMiss * (1 + 2 / Double(count)))
    let isOut = size > limit && abs(lastMiss) > limit && (miss > 0) == (lastMiss > 0)
    usualMiss += (min(size, interval / 8) - usualMiss) / 16
    lastMiss = isOut ? 0 : miss
    return isOut
  }

  @_noLocks @_noAllocation
  private func gap(to frame: FrameTime) -> Int {
    if count < Self.leastTicksForGaps || interval < 1 { return 1 }
    let intervals = Double(frame &- latest) / interval
    if intervals < 1.75 || intervals > Double(Self.longestGap) + 0.25 { return 1 }
    let whole = wholeNumber(notBelow: intervals - 0.5)
    return abs(intervals - Double(whole)) <= 0.25 ? whole : 1
  }

  @_noLocks @_noAllocation
  private func tick(back: Int) -> FrameTime {
    frames[(next + 2 * Self.window - 1 - back) % Self.window]
  }

  @_noLocks @_noAllocation
  private mutating func clear() {
    count = 0
    sum = 0
    weightedSum = 0
  }

  @_noLocks @_noAllocation
  private mutating func append(_ frame: FrameTime) {
    if count == 0 { base = frame }
    if count == Self.window {
      let oldest = frames[next] &- base
      sum &-= oldest
      weightedSum &-= sum
      count &-= 1
    }
    weightedSum &+= FrameTime(count) &* (frame &- base)
    sum &+= frame &- base
    frames[next] = frame
    next = (next + 1) % Self.window
    count &+= 1
  }

  @_noLocks @_noAllocation
  private mutating func keepLatest(_ kept: Int) {
    let from = (next + Self.window - kept) % Self.window
    clear()
    next = from
    var index = 0
    while index < kept {
      append(frames[(from + index) % Self.window])
      index &+= 1
    }
  }

  @_noLocks @_noAllocation
  private mutating func fit() {
    if count < 2 {
      interval = 0
      lateness = 0
      return
    }
    let ticks = Int64(count)
    let slope = ticks &* weightedSum &- ticks &* (ticks - 1) / 2 &* sum
    interval = Double(slope) * 12 / Double(ticks * ticks * (ticks * ticks - 1))
    let mean = Double(sum) / Double(ticks)
    let line = mean + interval * Double(ticks - 1) / 2
    lateness = Double(latest &- base) - line
  }
}

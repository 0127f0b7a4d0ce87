// Four numbers that move together, frame by frame.

/// Four numbers that move linearly to their values at a segment's end. After a value was set they
/// crossfade from the former values to that line, and never leave the range between both.
///
/// A `SpatialClock` has the segment and the crossfade of several glides. The values are a pure
/// function of the clock.
public struct SpatialGlide: Sendable, BitwiseCopyable {
  /// The values at the segment's start, at its end, and when a value was set.
  var origin: SIMD4<Double>
  var target: SIMD4<Double>
  var former = SIMD4<Double>(0, 0, 0, 0)

  @_noLocks @_noAllocation
  public init(_ value: SIMD4<Double>) {
    origin = value
    target = value
    former = value
  }

  /// Returns the value `frames` frames after the last one, within the clock's segment.
  @_noLocks @_noAllocation @inline(__always)
  func value(after frames: Int, _ clock: SpatialClock) -> SIMD4<Double> {
    let value = base(at: clock.position &+ frames, clock.length)
    if clock.settling == 0 { return value }
    let left = Double(clock.settling &- frames) * clock.perSettlingFrame
    return value + (former - value) * SIMD4(left, left, left, left)
  }

  @_noLocks @_noAllocation @inline(__always)
  private func base(at position: Int, _ length: Int) -> SIMD4<Double> {
    if position == 0 { return origin }
    if position >= length { return target }
    let part = Double(position) / Double(length)
    return origin + (target - origin) * SIMD4(part, part, part, part)
  }

  /// The value while nothing is moving.
  public var rest: SIMD4<Double> { @_noLocks @_noAllocation get { origin } }

  /// Starts a crossfade from the sounding value to a new one within the clock's settling time. The
  /// caller then restarts that by `SpatialClock.settle`.
  @_noLocks @_noAllocation
  public mutating func settle(to value: SIMD4<Double>, _ clock: SpatialClock) {
    former = self.value(after: 0, clock)
    origin = value
    target = value
  }

  /// Ends a segment early, before its target changes.
  @_noLocks @_noAllocation
  public mutating func breakOff(_ clock: SpatialClock) {
    origin = base(at: clock.position, clock.length)
    target = origin
  }

  @_noLocks @_noAllocation
  public mutating func beginSegment(to value: SIMD4<Double>) { target = value }

  @_noLocks @_noAllocation
  public mutating func endSegment() { origin = target }
}

/// Time base shared by several glides: the position in the current segment, and the frames until
/// set values are reached.
public struct SpatialClock: Sendable, BitwiseCopyable {
  /// The frames taken of the segment, and its length; both 0 between segments.
  public internal(set) var position = 0
  public internal(set) var length = 0
  /// Frames until set values are reached.
  public internal(set) var settling = 0
  let settlingFrames: Int
  let perSettlingFrame: Double

  /// The most frames of a segment.
  public static var segmentFrames: Int { @_noLocks @_noAllocation get { 32 } }

  /// - Parameter settlingFrames: at least 1.
  @_noLocks @_noAllocation
  public init(settlingFrames: Int) {
    self.settlingFrames = settlingFrames
    perSettlingFrame = 1 / Double(settlingFrames)
  }

  public var isResting: Bool { @_noLocks @_noAllocation get { length == 0 && settling == 0 } }

  /// Returns the number of frames, up to `count`, before a segment or a crossfade ends.
  @_noLocks @_noAllocation
  public func frames(upTo count: Int) -> Int {
    var frames = count
    if length > 0 { frames = min(frames, length &- position) }
    if settling > 0 { frames = min(frames, settling) }
    return frames
  }

  @_noLocks @_noAllocation
  public mutating func settle() { settling = settlingFrames }

  @_noLocks @_noAllocation
  public mutating func breakOff() { (position, length) = (0, 0) }

  @_noLocks @_noAllocation
  public mutating func beginSegment(_ frames: Int) { (position, length) = (0, frames) }

  /// Ends all motion.
  @_noLocks @_noAllocation
  public mutating func stop() { (position, length, settling) = (0, 0, 0) }

  /// Advances by frames, at most `frames(upTo:)`.
  /// - Returns: whether the segment has ended; the caller then calls `endSegment` of its glides.
  @_noLocks @_noAllocation
  public mutating func advance(by frames: Int) -> Bool {
    if settling > 0 { settling &-= frames }
    if length == 0 { return false }
    position &+= frames
    if position < length { return false }
    (position, length) = (0, 0)
    return true
  }
}

// Four numbers that move together, frame by frame.

/// Numbers that go along a straight line to where they are at a segment's end, and cross over to
/// that line from where they stood when something was set: never beyond both.
///
/// Segments and the way to what is set belong to a `SpatialClock`: several glides go by one. The
/// values are a pure function of the clock.
public struct SpatialGlide: Sendable, BitwiseCopyable {
  /// At the segment's begin, at its end, and when something was set.
  var origin: SIMD4<Double>
  var target: SIMD4<Double>
  var former = SIMD4<Double>(0, 0, 0, 0)

  @_noLocks @_noAllocation
  public init(_ value: SIMD4<Double>) {
    origin = value
    target = value
    former = value
  }

  /// The value so many frames after the last one; of a frame of the clock's segment.
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

  /// The value where nothing moves.
  public var rest: SIMD4<Double> { @_noLocks @_noAllocation get { origin } }

  /// Goes on from what sounds, to reach a value within the clock's time of settling, which is to
  /// begin anew.
  @_noLocks @_noAllocation
  public mutating func settle(to value: SIMD4<Double>, _ clock: SpatialClock) {
    former = self.value(after: 0, clock)
    origin = value
    target = value
  }

  /// Ends a segment before what it leads to changes.
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

/// What glides go by.
public struct SpatialClock: Sendable, BitwiseCopyable {
  /// How many frames of the segment were taken, and how long it is; both 0 between segments.
  public internal(set) var position = 0
  public internal(set) var length = 0
  /// Frames until what is set is reached.
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

  /// How many frames may be taken, up to `count`, before something begins or ends.
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

  /// Forgets what moves.
  @_noLocks @_noAllocation
  public mutating func stop() { (position, length, settling) = (0, 0, 0) }

  /// Takes frames, no more than `frames(upTo:)`.
  /// - Returns: whether the segment has ended; its glides are to be told.
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

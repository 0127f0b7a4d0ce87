// A value that moves to its target along a straight line, frame by frame.

/// A parameter value that ramps linearly, as a pure function of the frame.
///
/// A ramp of n frames that starts at frame f has, at frame f + k, the value
/// `start + (target - start) * (k + 1) / n` for k < n - 1, and exactly `target` from f + n - 1 on.
/// Nothing is accumulated: however a stretch of frames is divided into calls, the values are
/// bit-identical. Counterpart of the parameter ramp of `AUParameterEvent`.
///
/// - Thread: [render] while rendering, else [control]
public struct LinearRamp: Sendable {
  /// The length in seconds of the ramp that replaces a step, so that a set value makes no click.
  public static var deZipperSeconds: Double {
    @_noLocks @_noAllocation @inlinable get { 0.020 }
  }

  /// The sounding value: that of the last frame taken.
  public var value: Double { @_noLocks @_noAllocation @inlinable get { current } }
  /// The value at the end of the ramp; equals `value` if none is running.
  public var target: Double { @_noLocks @_noAllocation @inlinable get { end } }
  /// The length of a de-zippering ramp: `deZipperSeconds` at the sample rate, rounded, at least 1.
  public let deZipperFrames: UInt32

  @usableFromInline var current: Double
  @usableFromInline var end: Double
  @usableFromInline var origin: Double
  @usableFromInline var position: UInt32 = 0
  @usableFromInline var length: UInt32 = 0
  @usableFromInline var isFollowed = false

  /// Creates a ramp at rest.
  ///
  /// - Parameters:
  ///   - value: the initial value.
  ///   - sampleRate: frames per second, finite and above zero.
  /// - Thread: [control]
  public init(value: Double, sampleRate: Double) {
    current = value
    end = value
    origin = value
    deZipperFrames = max(1, UInt32((Self.deZipperSeconds * sampleRate).rounded()))
  }

  /// Whether the next frame's value may differ from `value`.
  public var isRamping: Bool {
    @_noLocks @_noAllocation @inlinable get { position < length }
  }

  /// Frames until the ramp ends.
  public var remainingFrames: Int {
    @_noLocks @_noAllocation @inlinable get { Int(length &- position) }
  }

  /// Starts a ramp from the sounding value to `target`; the next frame is its first.
  ///
  /// - Parameters:
  ///   - target: the value of the ramp's last frame and of all after it.
  ///   - frames: the ramp's length; 1 is a step, 0 means `deZipperFrames`.
  @_noLocks @_noAllocation @inlinable
  public mutating func start(to target: Double, overFrames frames: UInt32) {
    origin = value
    end = target
    position = 0
    length = frames == 0 ? deZipperFrames : frames
    isFollowed = frames > 0
    if target == value { length = 0 }
  }

  /// Sets the value at once, ending any ramp.
  @_noLocks @_noAllocation @inlinable
  public mutating func set(immediately value: Double) {
    current = value
    end = value
    position = 0
    length = 0
    isFollowed = false
  }

  /// Advances by one frame and returns its value.
  @_noLocks @_noAllocation @inlinable
  public mutating func next() -> Double {
    advance(by: 1)
    return value
  }

  /// Advances by `frames` frames, so that `value` is that of the last of them.
  ///
  /// - Complexity: O(1)
  @_noLocks @_noAllocation @inlinable
  public mutating func advance(by frames: UInt32) {
    guard isRamping, frames > 0 else { return }
    if frames >= length &- position {
      position = length
      current = end
    } else {
      position &+= frames
      current = origin + (end - origin) * Double(position) / Double(length)
    }
  }

  /// Returns the ramp's current value, for publishing. Once more after the ramp has ended, then
  /// nil. Nil also while a plain set is de-zippered: such a value reads back as set.
  @_noLocks @_noAllocation @inlinable
  public mutating func takeReading() -> Double? {
    guard isFollowed else { return nil }
    if !isRamping { isFollowed = false }
    return value
  }
}

extension LinearRamp {
  /// Starts a ramp, or returns the reading.
  /// - Returns: nil for a change, and for the reading of a ramp at rest.
  @_noLocks @_noAllocation @inlinable
  public mutating func answer(_ request: ParameterRequest) -> Double? {
    switch request {
    case .start(let target, let frames):
      start(to: target, overFrames: frames)
      return nil
    case .reading: return takeReading()
    }
  }
}

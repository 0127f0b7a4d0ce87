// How a delay's length changes without a click.

/// The length of a delay in milliseconds.
///
/// Along a ramp it glides, and the pitch moves with it, as that of a tape does. Where it is set,
/// the sound crosses over from the old length to the new one within 20 ms, and keeps its pitch;
/// what is set again meanwhile is reached by a glide of 20 ms.
struct DelayTime {
  private(set) var milliseconds: LinearRamp
  private let framesPerMillisecond: Double
  private let longest: Double
  /// Where the crossing comes from, in milliseconds, and the frames of it that are to come.
  private var previous = 0.0
  private var remaining: UInt32 = 0

  /// - Parameters:
  ///   - milliseconds: where it rests.
  ///   - maximumFrames: the longest delay, to which others are held.
  init(milliseconds: Double, sampleRate: Double, maximumFrames: Int) {
    self.milliseconds = LinearRamp(value: milliseconds, sampleRate: sampleRate)
    framesPerMillisecond = sampleRate / 1000
    longest = Double(maximumFrames)
  }

  var isMoving: Bool { @_noLocks @_noAllocation get { remaining > 0 || milliseconds.isRamping } }

  @_noLocks @_noAllocation
  mutating func move(to target: Double, overFrames frames: UInt32) {
    if frames > 0 || remaining > 0 {
      milliseconds.start(to: target, overFrames: frames)
    } else if milliseconds.isRamping || milliseconds.value != target {
      previous = milliseconds.value
      milliseconds.set(immediately: target)
      remaining = milliseconds.deZipperFrames
    }
  }

  /// The point that is read while nothing moves.
  @_noLocks @_noAllocation
  func point() -> DelayPoint { point(at: milliseconds.value) }

  /// Takes one frame and returns what the line gives there.
  @_noLocks @_noAllocation @inline(__always)
  mutating func next(of line: borrowing DelayLine) -> Float {
    milliseconds.advance(by: 1)
    let value = line.value(point(at: milliseconds.value))
    if remaining == 0 { return value }
    remaining &-= 1
    if remaining == 0 { return value }
    let old = line.value(point(at: previous))
    return value + (old - value) * Float(remaining) / Float(milliseconds.deZipperFrames)
  }

  @_noLocks @_noAllocation
  mutating func skip(_ frames: UInt32) {
    milliseconds.advance(by: frames)
    remaining &-= min(remaining, frames)
  }

  @_noLocks @_noAllocation
  mutating func takeReading() -> Double? { milliseconds.takeReading() }

  @_noLocks @_noAllocation @inline(__always)
  private func point(at milliseconds: Double) -> DelayPoint {
    let frames = milliseconds * framesPerMillisecond
    let least = Double(DelayLine.minimumFrames)
    return DelayPoint(frames: frames > least ? (frames < longest ? frames : longest) : least)
  }
}

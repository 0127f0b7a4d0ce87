// Click-free changes of a delay's length.

import Realtime

/// The length of a delay in milliseconds.
///
/// During a ramp the length glides, and the pitch with it, as on a tape. A set length is reached by
/// a crossfade within 20 ms, which keeps the pitch. If another length is set meanwhile, it is
/// reached by a glide of 20 ms.
struct DelayTime {
  private(set) var milliseconds: LinearRamp
  private let framesPerMillisecond: Double
  private let longest: Double
  /// The crossfade's former length in milliseconds, and its remaining frames.
  private var previous = 0.0
  private var remaining: UInt32 = 0

  /// - Parameters:
  ///   - milliseconds: the initial length.
  ///   - maximumFrames: the longest delay, to which others are limited.
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

  /// Returns the point to read while nothing is changing.
  @_noLocks @_noAllocation
  func point() -> DelayPoint { point(at: milliseconds.value) }

  /// Advances by one frame and returns the line's value there.
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

extension DelayTime {
  /// Moves the delay, or returns its reading in milliseconds.
  @_noLocks @_noAllocation
  mutating func answer(_ request: ParameterRequest) -> Double? {
    switch request {
    case .start(let target, let frames):
      move(to: target, overFrames: frames)
      return nil
    case .reading: return takeReading()
    }
  }
}

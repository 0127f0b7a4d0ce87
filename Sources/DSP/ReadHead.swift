// The read position in a signal that is played at another speed.

import CRealtime
import Realtime

/// A position in a signal, in frames and 2⁻³² frames, that advances by a speed at each frame.
///
/// The position is exact: after n frames at the speed 1 it is n frames further. It does not depend
/// on the division into calls, at any speed.
public struct ReadHead: BitwiseCopyable, Sendable {
  /// The frame at or before the position.
  public private(set) var frame = 0
  /// The part after that frame, from 0 up to `one`.
  public private(set) var fraction = 0

  /// A frame, in units of `fraction`.
  public static var one: Int { @_noLocks @_noAllocation get { 1 &<< 32 } }
  /// The most that a position between two frames moves towards a whole frame, per frame at speed 1:
  /// 0.4 cents, for up to 2048 frames.
  private static var slew: Int { @_noLocks @_noAllocation get { 1 &<< 20 } }

  /// - Thread: [any]
  @_noLocks @_noAllocation
  public init() {}

  /// Moves to a frame.
  @_noLocks @_noAllocation
  public mutating func move(to frame: Int) {
    self.frame = frame
    fraction = 0
  }

  /// Returns the head's next step at a speed, in units of `fraction`.
  ///
  /// - Parameters:
  ///   - speed: frames for each frame, 0.25 to 4.
  ///   - rests: whether the speed is constant. At 1 the position then moves to a whole frame, so
  ///     that the output is bit-identical to the signal.
  @_noLocks @_noAllocation
  public func step(at speed: Double, rests: Bool) -> Int {
    let step = Int(truncatingIfNeeded: wholePart(speed * 4_294_967_296))
    if step != Self.one || !rests || fraction == 0 { return step }
    if fraction < Self.one &>> 1 { return step &- min(fraction, Self.slew) }
    return step &+ min(Self.one &- fraction, Self.slew)
  }

  /// Advances by a step.
  @_noLocks @_noAllocation
  public mutating func advance(by step: Int) {
    let sum = fraction &+ step
    frame &+= sum &>> 32
    fraction = sum & (Self.one &- 1)
  }
}

// Where a signal is read that is played at another speed.

import CRealtime
import Realtime

/// A place in a signal, in frames and parts of one by 2⁻³², that moves on by a speed at each frame.
///
/// It is exact: after n frames at the speed 1 it is n frames further. How frames are divided into
/// calls does not matter at any speed.
public struct ReadHead: BitwiseCopyable, Sendable {
  /// The frame at or before the place.
  public private(set) var frame = 0
  /// From 0 up to `one`.
  public private(set) var fraction = 0

  /// A frame.
  public static var one: Int { @_noLocks @_noAllocation get { 1 &<< 32 } }
  /// How far a place between two frames goes towards one, from frame to frame, where the speed is
  /// 1: by 0.4 cents, for up to 2048 frames.
  private static var slew: Int { @_noLocks @_noAllocation get { 1 &<< 20 } }

  /// - Thread: [any]
  @_noLocks @_noAllocation
  public init() {}

  /// Goes to a frame.
  @_noLocks @_noAllocation
  public mutating func move(to frame: Int) {
    self.frame = frame
    fraction = 0
  }

  /// How far the head goes next at a speed.
  ///
  /// - Parameters:
  ///   - speed: frames for each frame, 0.25 to 4.
  ///   - rests: whether the speed stays. At 1 the place goes to a frame then, so that the signal is
  ///     what it was, to the bit.
  @_noLocks @_noAllocation
  public func step(at speed: Double, rests: Bool) -> Int {
    let step = Int(truncatingIfNeeded: wholePart(speed * 4_294_967_296))
    if step != Self.one || !rests || fraction == 0 { return step }
    if fraction < Self.one &>> 1 { return step &- min(fraction, Self.slew) }
    return step &+ min(Self.one &- fraction, Self.slew)
  }

  /// Moves on by a step.
  @_noLocks @_noAllocation
  public mutating func advance(by step: Int) {
    let sum = fraction &+ step
    frame &+= sum &>> 32
    fraction = sum & (Self.one &- 1)
  }
}

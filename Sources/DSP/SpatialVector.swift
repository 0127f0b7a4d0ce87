// Points and directions in space.

import Realtime

/// A point in metres, or a direction: right-handed, x to the right, y up, z towards the listener.
///
/// - Thread: [any]
public struct SpatialVector: Sendable, BitwiseCopyable, Equatable {
  public var x: Double
  public var y: Double
  public var z: Double

  @_noLocks @_noAllocation
  public init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  @_noLocks @_noAllocation
  public static func == (one: SpatialVector, other: SpatialVector) -> Bool {
    one.x == other.x && one.y == other.y && one.z == other.z
  }

  @_noLocks @_noAllocation
  public func dot(_ other: SpatialVector) -> Double { x * other.x + y * other.y + z * other.z }

  @_noLocks @_noAllocation
  public func cross(_ other: SpatialVector) -> SpatialVector {
    SpatialVector(
      x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
  }

  @_noLocks @_noAllocation
  public func minus(_ other: SpatialVector) -> SpatialVector {
    SpatialVector(x: x - other.x, y: y - other.y, z: z - other.z)
  }

  @_noLocks @_noAllocation
  public func scaled(by factor: Double) -> SpatialVector {
    SpatialVector(x: x * factor, y: y * factor, z: z * factor)
  }

  public var length: Double {
    @_noLocks @_noAllocation get { RealtimeMath.squareRoot(dot(self)) }
  }
}

/// The directions of a listener's front, top and right-hand side, each of length 1.
///
/// - Thread: [any]
public struct ListenerAxes: Sendable, BitwiseCopyable, Equatable {
  public let front: SpatialVector
  public let up: SpatialVector
  public let right: SpatialVector

  /// Creates the axes from angles in degrees. If all are 0, the listener looks along −z with the
  /// head up.
  ///
  /// - Parameters:
  ///   - yaw: to the right, about the world's vertical axis; applied first.
  ///   - pitch: upwards.
  ///   - roll: the head tilted to its right; applied last.
  @_noLocks @_noAllocation
  public init(yaw: Double, pitch: Double, roll: Double) {
    let (sinYaw, cosYaw) = Self.circle(yaw)
    let (sinPitch, cosPitch) = Self.circle(pitch)
    let (sinRoll, cosRoll) = Self.circle(roll)
    front = SpatialVector(x: sinYaw * cosPitch, y: sinPitch, z: -cosYaw * cosPitch)
    let up = SpatialVector(x: -sinYaw * sinPitch, y: cosPitch, z: cosYaw * sinPitch)
    let right = SpatialVector(x: cosYaw, y: 0, z: sinYaw)
    self.up = SpatialVector(
      x: cosRoll * up.x + sinRoll * right.x, y: cosRoll * up.y + sinRoll * right.y,
      z: cosRoll * up.z + sinRoll * right.z)
    self.right = SpatialVector(
      x: cosRoll * right.x - sinRoll * up.x, y: cosRoll * right.y - sinRoll * up.y,
      z: cosRoll * right.z - sinRoll * up.z)
  }

  @_noLocks @_noAllocation
  private static func circle(_ degrees: Double) -> (sine: Double, cosine: Double) {
    let radians = degrees * (.pi / 180)
    return (RealtimeMath.sine(radians), RealtimeMath.cosine(radians))
  }
}

/// A position relative to a listener.
///
/// - Thread: [any]
public struct RelativePosition: Sendable, BitwiseCopyable {
  /// The distance in metres.
  public let distance: Double
  /// The components to the right, up, and behind the listener. The length is 1. Inside the head it
  /// decreases to 0 in the middle, so that a source passing through does not jump from side to
  /// side.
  public let direction: SpatialVector

  /// The radius of the head in metres.
  public static var headRadius: Double { @_noLocks @_noAllocation get { 0.0875 } }

  @_noLocks @_noAllocation
  public init(of place: SpatialVector, from listener: SpatialVector, axes: ListenerAxes) {
    let way = place.minus(listener)
    distance = way.length
    let scale = 1 / max(distance, Self.headRadius)
    direction = SpatialVector(
      x: Self.held(way.dot(axes.right) * scale), y: Self.held(way.dot(axes.up) * scale),
      z: Self.held(-way.dot(axes.front) * scale))
  }

  /// Returns a value limited to ±1, which rounding may exceed.
  @_noLocks @_noAllocation
  private static func held(_ value: Double) -> Double { value > -1 ? (value < 1 ? value : 1) : -1 }
}

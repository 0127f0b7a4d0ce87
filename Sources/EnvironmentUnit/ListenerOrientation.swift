// The orientation of a listener, as angles and as vectors.

public import DSP
import Glibc

/// Three angles in degrees. If all are 0, the listener looks along −z with the head up.
///
/// AUv3: `AVAudio3DAngularOrientation`.
/// - Thread: [any]
public struct ListenerOrientation: Sendable, Hashable {
  /// The turn to the right, −180 to 180.
  public var yaw: Double
  /// The turn upwards, −90 to 90.
  public var pitch: Double
  /// The head tilted to its right, −180 to 180.
  public var roll: Double

  public init(yaw: Double = 0, pitch: Double = 0, roll: Double = 0) {
    self.yaw = yaw
    self.pitch = pitch
    self.roll = roll
  }

  /// Computes the angles of two directions of any length. Only the part of `up` at a right angle to
  /// `front` counts.
  ///
  /// If the listener looks straight up or down, yaw is 0 and the remaining rotation is roll.
  ///
  /// AUv3: `AVAudio3DVectorOrientation`.
  /// - Throws: `ListenerOrientationError` if a vector has no direction, or `up` is along `front`.
  public init(
    front: SpatialVector, up: SpatialVector
  ) throws(ListenerOrientationError) {
    let front = try Self.unit(front, .frontIsNoDirection)
    let given = try Self.unit(up, .upIsNoDirection)
    let up = given.minus(front.scaled(by: given.dot(front)))
    guard up.length > 1e-6 else { throw .upIsAlongFront }
    let radians = 180 / Double.pi
    let level = (front.x * front.x + front.z * front.z).squareRoot()
    let isVertical = level < 1e-9
    yaw = isVertical ? 0 : atan2(front.x, -front.z) * radians
    pitch = atan2(front.y, level) * radians
    let straight = ListenerAxes(yaw: yaw, pitch: pitch, roll: 0)
    roll = atan2(up.dot(straight.right), up.dot(straight.up)) * radians
  }

  /// The front, up and right-hand vectors.
  public var axes: ListenerAxes { ListenerAxes(yaw: yaw, pitch: pitch, roll: roll) }

  private static func unit(
    _ vector: SpatialVector, _ error: ListenerOrientationError
  ) throws(ListenerOrientationError) -> SpatialVector {
    guard vector.x.isFinite, vector.y.isFinite, vector.z.isFinite else { throw error }
    // In two steps, so that no square overflows or underflows.
    let most = max(abs(vector.x), abs(vector.y), abs(vector.z))
    guard most > 0 else { throw error }
    let near = SpatialVector(x: vector.x / most, y: vector.y / most, z: vector.z / most)
    return near.scaled(by: 1 / near.length)
  }
}

/// Vectors without an orientation; nothing is changed.
public enum ListenerOrientationError: Error, Hashable, Sendable, CustomStringConvertible {
  case frontIsNoDirection
  case upIsNoDirection
  case upIsAlongFront

  public var description: String {
    switch self {
    case .frontIsNoDirection:
      "front is no direction: give three finite numbers, at least one of them other than 0"
    case .upIsNoDirection:
      "up is no direction: give three finite numbers, at least one of them other than 0"
    case .upIsAlongFront: "up points along front: give one that is at an angle to it"
    }
  }
}

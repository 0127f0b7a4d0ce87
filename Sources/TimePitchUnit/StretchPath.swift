// The path from the stretcher's input to its output.

/// Maps positions in the stretcher's input to positions in its output, as the frames of the unit's
/// output require. Linear between frames.
///
/// Used by one thread at a time.
final class StretchPath {
  /// A frame of the unit's output.
  struct Point: BitwiseCopyable {
    /// The input frame that is heard.
    var frame = 0
    /// The position of that frame in the input, and in the stretched sound.
    var position = 0.0
    var outputPosition = 0.0
    /// The reading speed there.
    var speed = 1.0
    /// Whether the input itself is heard.
    var isPlain = false
  }

  /// Count of points added since the start.
  private(set) var end = 0
  private let points: UnsafeMutablePointer<Point>
  private let mask: Int
  private var nextOutputPosition = 0.0

  /// - Parameter capacity: the count of last points that can be read.
  init(capacity: Int) {
    var size = 1024
    while size < capacity { size *= 2 }
    mask = size - 1
    points = .allocate(capacity: size)
    points.initialize(repeating: Point(), count: size)
  }

  deinit { points.deallocate() }

  func restart() {
    end = 0
    nextOutputPosition = 0
  }

  /// The first point that can be read.
  var oldest: Int { max(0, end - mask) }

  subscript(index: Int) -> Point { points[index & mask] }

  func add(frame: Int, position: Double, speed: Double, isPlain: Bool) {
    points[end & mask] = Point(
      frame: frame, position: position, outputPosition: nextOutputPosition, speed: speed,
      isPlain: isPlain)
    nextOutputPosition += speed
    end += 1
  }

  /// Output positions per input position after a point; before it for the last point.
  func ratio(at index: Int) -> Double {
    let first = min(index, end - 2)
    let (one, other) = (self[first], self[first + 1])
    return (other.outputPosition - one.outputPosition) / (other.position - one.position)
  }

  /// Returns the output position of an input position, extrapolated before the first point and
  /// after the last.
  ///
  /// - Parameter cursor: the point to search from; moves to the last point not after the position.
  func outputPosition(of position: Double, _ cursor: inout Int) -> Double {
    while cursor + 1 < end, self[cursor + 1].position <= position { cursor += 1 }
    let point = self[cursor]
    return point.outputPosition + (position - point.position) * ratio(at: cursor)
  }
}

// Where the stretcher's input is to come out.

/// The way from positions in the stretcher's input to places in its output, as the frames of the
/// unit's output ask for it: a line from frame to frame.
///
/// Used by one thread at a time.
final class StretchPath {
  /// A frame of the unit's output.
  struct Point: BitwiseCopyable {
    /// The frame of the input that is heard.
    var frame = 0
    /// The same as a position, and as a place in the stretched sound.
    var position = 0.0
    var place = 0.0
    /// The speed of reading there.
    var speed = 1.0
    /// Whether the input itself is meant.
    var isPlain = false
  }

  /// Points that were added since the start.
  private(set) var end = 0
  private let points: UnsafeMutablePointer<Point>
  private let mask: Int
  private var nextPlace = 0.0

  /// - Parameter capacity: how many of the last points can be read.
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
    nextPlace = 0
  }

  /// The first point that can be read.
  var oldest: Int { max(0, end - mask) }

  subscript(index: Int) -> Point { points[index & mask] }

  func add(frame: Int, position: Double, speed: Double, isPlain: Bool) {
    points[end & mask] = Point(
      frame: frame, position: position, place: nextPlace, speed: speed, isPlain: isPlain)
    nextPlace += speed
    end += 1
  }

  /// How many places there are for a position, behind a point or, at the end, before it.
  func ratio(at index: Int) -> Double {
    let first = min(index, end - 2)
    let (one, other) = (self[first], self[first + 1])
    return (other.place - one.place) / (other.position - one.position)
  }

  /// The place of a position; before the first point and behind the last the line goes straight on.
  ///
  /// - Parameter cursor: a point at which to begin, which moves on to the last before the position.
  func place(of position: Double, _ cursor: inout Int) -> Double {
    while cursor + 1 < end, self[cursor + 1].position <= position { cursor += 1 }
    let point = self[cursor]
    return point.place + (position - point.position) * ratio(at: cursor)
  }
}

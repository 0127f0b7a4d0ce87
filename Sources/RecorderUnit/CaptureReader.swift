// The reading end of a line.

/// Frames and marks of a line, in their order.
struct CaptureReader {
  /// What comes next.
  enum Item: Equatable {
    /// So many frames, to be taken from the line, all of them or some.
    case frames(Int)
    case mark(CaptureMark)
  }

  let line: CaptureRing
  private var mark: CaptureMark?
  /// Frames that had been written when it looked last.
  private var written = 0

  init(_ line: CaptureRing) { self.line = line }

  /// Sees what has been captured by now, as far as `next` goes.
  ///
  /// The marks are read afterwards: all that lie between the frames that it sees are there by then.
  mutating func look() { written = line.written }

  mutating func next() -> Item? {
    if mark == nil { mark = line.marks.tryReceive() }
    let due = (mark?.position ?? written) - line.read
    if due > 0 {
      // A mark may be told of before the frames that were seen.
      let there = min(due, written - line.read)
      return there > 0 ? .frames(there) : nil
    }
    defer { mark = nil }
    return mark.map { .mark($0) }
  }
}

// The reading end of a capture ring.

/// Frames and marks of a ring, in order.
struct CaptureReader {
  /// The next item of the ring.
  enum Item: Equatable {
    /// A count of frames, to be taken from the ring in whole or in part.
    case frames(Int)
    case mark(CaptureMark)
  }

  let line: CaptureRing
  private var mark: CaptureMark?
  /// Count of frames that had been written at the last `look`.
  private var written = 0

  init(_ line: CaptureRing) { self.line = line }

  /// Notes the frames captured by now: `next` returns items up to there.
  ///
  /// Marks are read later, so that all marks between these frames have arrived.
  mutating func look() { written = line.written }

  mutating func next() -> Item? {
    if mark == nil { mark = line.marks.tryReceive() }
    let due = (mark?.position ?? written) - line.read
    if due > 0 {
      // A mark may arrive before the frames that precede it.
      let there = min(due, written - line.read)
      return there > 0 ? .frames(there) : nil
    }
    defer { mark = nil }
    return mark.map { .mark($0) }
  }
}

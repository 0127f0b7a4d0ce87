// The reading end of a ring of MIDI.

/// The messages of a ring, whole and in order.
///
/// Used by one thread at a time.
final class CapturedMIDIReader {
  private let ring: CapturedMIDIRing
  private var seenLost = 0
  /// A part that belongs to a later frame or take.
  private var waiting: CapturedMIDI?
  /// Earlier parts of the next message.
  private var begun: [UInt8] = []

  init(_ ring: CapturedMIDIRing) { self.ring = ring }

  deinit { ring.deallocate() }

  /// Returns the next message of a take before one of its frames, with its frame; drops what is
  /// left of earlier takes.
  func next(ofTake take: Int, before end: Int) -> (message: [UInt8], offset: Int)? {
    while let part = waiting ?? ring.next() {
      waiting = nil
      guard part.take <= take else { return keep(part) }
      guard part.take == take else { continue }
      guard part.offset < end else { return keep(part) }
      // The rest of a message without room is missing.
      if part.isFirst { begun = [] }
      begun += part.bytes
      if part.isLast, begun[0] >= 0x80 { return (begun, part.offset) }
    }
    return nil
  }

  /// Drops all messages up to the end of a take.
  func drop(throughTake take: Int) { _ = next(ofTake: take + 1, before: .min) }

  /// Returns how many messages have found no room since the last call.
  func takeLostCount() -> Int {
    let count = ring.lostCount
    defer { seenLost = count }
    return count - seenLost
  }

  private func keep(_ part: CapturedMIDI) -> (message: [UInt8], offset: Int)? {
    waiting = part
    return nil
  }
}

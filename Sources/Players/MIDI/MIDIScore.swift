// The messages of a MIDI file with frames, in memory for the render thread.

import MediaFiles

/// The messages of a MIDI file, each with its frame.
///
/// The value owns memory: `deallocate` frees it.
struct MIDIScore: @unchecked Sendable, BitwiseCopyable {
  struct Event: BitwiseCopyable {
    let frame: Int
    /// Index of the first byte in `bytes`.
    let start: Int
    let length: Int
  }

  let events: UnsafeMutablePointer<Event>
  let count: Int
  let bytes: UnsafeMutablePointer<UInt8>
  /// End of the last track, in frames.
  let endFrame: Int
  /// Number of events of the first pass, which are the first ones.
  let firstCount: Int
  /// Index of the first event of a further pass, whose events go up to the last one; nil if there
  /// is none.
  let loopStart: Int?

  /// GM System On: resets the receiver's programs and controllers.
  private static let reset: [UInt8] = [0xF0, 0x7E, 0x7F, 0x09, 0x01, 0xF7]

  /// Makes a score without messages.
  /// - Thread: [control]
  init() { self.init([], [], endFrame: 0, firstCount: 0, loopStart: nil) }

  /// - Parameters:
  ///   - sampleRate: in hertz.
  ///   - start: the first frame to play. Earlier messages except notes move to this frame, so that
  ///     programs and controllers are correct.
  ///   - resets: whether it begins with a General MIDI reset.
  ///   - loops: whether further passes follow.
  /// - Thread: [control]
  init(_ file: MIDIFile, sampleRate: Double, from start: Int, resets: Bool, loops: Bool) {
    var list: [Event] = []
    list.reserveCapacity(file.events.count + 1)
    if resets {
      list.append(Event(frame: start, start: file.messages.count, length: Self.reset.count))
    }
    func append(from start: Int) {
      for event in file.events {
        let frame = Int((event.seconds * sampleRate).rounded())
        let kind = file.messages[event.byteRange.lowerBound] & 0xF0
        if frame < start, (0x80...0xA0).contains(kind) { continue }
        list.append(
          Event(
            frame: max(frame, start), start: event.byteRange.lowerBound,
            length: event.byteRange.count))
      }
    }
    append(from: start)
    let firstCount = list.count
    let endFrame = Int((file.durationSeconds * sampleRate).rounded(.up))
    var loopStart: Int?
    if loops, endFrame > 0 {
      // The first pass is a whole one, unless playback resumes in the file.
      loopStart = start > 0 ? firstCount : resets ? 1 : 0
      if start > 0 { append(from: 0) }
    }
    self.init(
      list, file.messages + (resets ? Self.reset : []), endFrame: endFrame, firstCount: firstCount,
      loopStart: loopStart)
  }

  private init(
    _ list: [Event], _ messages: [UInt8], endFrame: Int, firstCount: Int, loopStart: Int?
  ) {
    count = list.count
    events = .allocate(capacity: max(list.count, 1))
    events.initialize(from: list, count: list.count)
    bytes = .allocate(capacity: max(messages.count, 1))
    bytes.initialize(from: messages, count: messages.count)
    (self.endFrame, self.firstCount, self.loopStart) = (endFrame, firstCount, loopStart)
  }

  /// - Thread: [control]
  func deallocate() {
    events.deallocate()
    bytes.deallocate()
  }
}
